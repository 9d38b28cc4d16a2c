#pragma once
// ONNX's TensorProto, as the .pb files of its test data hold one. A reader of the wire format of our own, so
// that programs for devices need no protobuf. Source: ONNX's onnx.proto (field numbers), Protocol Buffers
// "Encoding".

#include <string>

#include "kernels/base/span.h"
#include "tools/io/array.h"

namespace micrort::io {

// Strings, complex numbers and external data are refused.
Status ParseTensorProto(const std::string& what, Span<const uint8_t> bytes, NamedArray* out);

}  // namespace micrort::io
