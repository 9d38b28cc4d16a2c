#pragma once
// ONNX's TensorProto.DataType in our terms.

#include <cstdint>
#include <string>

#include "kernels/base/dtype.h"

namespace micrort::frontend::onnx {

// The element type of values; kUnknown for those that we do not have (strings, complex numbers, 4 and 8-bit
// floats ...). Attributes hold types in 64 bits.
DType DTypeOfOnnx(int64_t data_type);

// How a file holds a tensor's elements, and what they are once read: 4-bit integers become 8-bit ones.
struct StoredType {
  DType dtype = DType::kUnknown;
  int bits = 0;  // of one element in the file
};
StoredType StoredTypeOfOnnx(int data_type);

// "FLOAT16", "STRING" ... for messages, also for types that we do not have.
std::string OnnxTypeName(int64_t data_type);

}  // namespace micrort::frontend::onnx
