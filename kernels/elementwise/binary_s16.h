#pragma once
// Sums and products of int16 in integers, as TensorFlow Lite's reference kernels compute them.

#include "kernels/elementwise/binary_fixed.h"

namespace micrort {

// As PlanBinaryFixed and BinaryFixedFn, but for 15 bits in the place of 20, and a range of int16.
bool PlanBinaryS16(BinaryKind kind, const QuantizationParams& a, const QuantizationParams& b,
                   const QuantizationParams& y, const Clamp& clamp, BinaryFixedOp* op);
void BinaryS16(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const int16_t* b, size_t b_stride,
               int16_t* y, size_t n);

}  // namespace micrort
