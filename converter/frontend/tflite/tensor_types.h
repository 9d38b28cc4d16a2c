#pragma once

#include <string>

#include "converter/frontend/tflite/tflite_schema.h"
#include "kernels/base/dtype.h"

namespace micrort::frontend::tflite {

// Int4 is read as int8; kUnknown for types that we do not have.
DType DTypeOf(fb::TensorType type);

// "FLOAT32"; a number that is not known as it is.
std::string TypeName(fb::TensorType type);

}  // namespace micrort::frontend::tflite
