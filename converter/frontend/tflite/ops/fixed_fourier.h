#pragma once
// The Fourier transform of integers as TensorFlow Lite Micro computes it: the library KISS FFT, whose stages
// divide and round. Formulas and the order of roundings are facts of that library (version 1.3, radix 4 and
// 2).

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// `bits`: 16 or 32, of the elements, which come and go as int64. Length: a power of two of at least 4.
// x [n, length] → [n, length / 2 + 1, 2]
ir::ValueId FixedRealTransform(OpContext& c, ir::ValueId x, int64_t length, int bits);
// x [n, length / 2 + 1, 2] → [n, length]
ir::ValueId FixedInverseRealTransform(OpContext& c, ir::ValueId x, int64_t length, int bits);

}  // namespace micrort::frontend::tflite
