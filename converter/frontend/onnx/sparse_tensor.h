#pragma once
// SparseTensorProto: coordinates and values, as a dense tensor.

#include "converter/frontend/onnx/tensor_reader.h"

namespace micrort::frontend::onnx {

// The most that a few coordinates may expand to: half of what a model file can hold.
constexpr uint64_t kMaxDenseBytes = uint64_t{1} << 30;

constexpr uint64_t kMaxAllDenseBytes = 2 * kMaxDenseBytes;  // of all sparse tensors of a model

// The bytes that the tensor takes as a dense one; 0 for types that we do not have. Errors as
// ReadSparseTensor's.
Status DenseBytesOf(const ::onnx::SparseTensorProto& proto, uint64_t* bytes);

// Indices are [NNZ], into the flattened tensor, or [NNZ, rank], and ascend. Named after its values.
// Errors: as ReadTensor's; kInvalidModel for indices that are out of range or out of order; kUnsupported
// above kMaxDenseBytes.
Status ReadSparseTensor(const ::onnx::SparseTensorProto& proto, OnnxTensor* out);

}  // namespace micrort::frontend::onnx
