#pragma once
// RSQRT of int16 as TensorFlow Lite's reference kernels compute it, in integers.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// Output 0 of int16, read from a table of all that the kernel gives; *is_done is false, and nothing is added,
// where the tensors are no int16 of one scale, or their scales leave what the kernel can shift by.
Status RunInverseSqrtInt16(OpContext& c, bool* is_done);

}  // namespace micrort::frontend::tflite
