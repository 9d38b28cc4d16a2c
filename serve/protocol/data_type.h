#pragma once
// Element types as the protocols write them.

#include <string>

#include "kernels/base/dtype.h"

namespace micrort::serve {

// "FP32" of the Open Inference Protocol; "" of types that it does not have.
const char* ProtocolName(DType dtype);
// kUnknown where no model can have the type: "BYTES", or no type at all.
DType FromProtocolName(const std::string& name);
// What to say behind a name that is none: "; did you mean FP32?" for float32 of other programs, or all names.
std::string ProtocolNameHint(const std::string& name);

// "DT_FLOAT" of TensorFlow.
const char* TensorflowName(DType dtype);

}  // namespace micrort::serve
