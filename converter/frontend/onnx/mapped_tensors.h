#pragma once
// Elements of tensors that stay in their file beside the model, which is mapped.

#include <onnx/onnx_pb.h>

#include <vector>

#include "converter/ir/bytes.h"

namespace micrort::frontend::onnx {

// While it lives, ReadTensor finds on this thread what was added. A tensor keeps its number when it is
// copied.
class MappedTensors {
 public:
  MappedTensors();
  ~MappedTensors();
  MappedTensors(const MappedTensors&) = delete;
  MappedTensors& operator=(const MappedTensors&) = delete;

  void Add(ir::Bytes elements, ::onnx::TensorProto* tensor);
  // Null for tensors that were not added.
  static const ir::Bytes* Find(const ::onnx::TensorProto& tensor);

 private:
  std::vector<ir::Bytes> elements_;
  MappedTensors* const before_;
};

}  // namespace micrort::frontend::onnx
