#pragma once
// TensorProto, checked: what it says about itself and what it holds must agree.

#include <onnx/onnx_pb.h>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

// The element type of an ONNX TensorProto.DataType; kUnknown for those that we do not have (strings, complex
// ...).
DType DTypeOfOnnx(int data_type);

// "float16", "string" ... for messages, also for types that we do not have.
std::string OnnxTypeName(int data_type);

struct OnnxTensor {
  DType dtype = DType::kUnknown;
  std::vector<int64_t> shape;
  ir::Bytes data;
};

// kInvalidModel if sizes do not fit; kUnsupported for types that we do not have and for data outside the
// file.
Status ReadTensor(const ::onnx::TensorProto& proto, OnnxTensor* out);

}  // namespace micrort::frontend
