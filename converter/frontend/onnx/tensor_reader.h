#pragma once
// TensorProto, checked: what it says about itself and what it holds must agree.

#include <onnx/onnx_pb.h>

#include "converter/frontend/onnx/tensor_types.h"
#include "converter/ir/graph.h"
#include "kernels/base/shape.h"
#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

struct OnnxTensor {
  DType dtype = DType::kUnknown;
  std::vector<int64_t> shape;
  ir::Bytes data;
  bool is_four_bit = false;  // int4 or uint4 in the file
};

// Raw or typed data. kInvalidModel if sizes do not fit; kUnsupported for types that we do not have and for
// data that lies outside (LoadExternalData brings it in).
Status ReadTensor(const ::onnx::TensorProto& proto, OnnxTensor* out);

// Whether a stored tensor can have this shape: dimensions fit 32 bits, as those of values do, and its
// elements an address space.
bool IsStorable(const Shape& shape, DType dtype, int64_t* elements);

// The bytes that the tensor's shape and type take in raw_data. Errors as ReadTensor's.
Result<uint64_t> RawBytesOf(const ::onnx::TensorProto& proto);

}  // namespace micrort::frontend::onnx
