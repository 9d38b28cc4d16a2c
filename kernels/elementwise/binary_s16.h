#pragma once
// Functions of two int16 tensors in integers, as TensorFlow Lite's reference kernels (for microcontrollers,
// where only these have them) compute them.

#include "kernels/elementwise/binary_fixed.h"

namespace micrort {

// kAdd, kSub, kMul: as PlanBinaryFixed and BinaryFixedFn, but for 15 bits in the place of 20.
// kPRelu: b is int8; y = a_by * a, or by * a * (b - b_zero) where a is negative.
// kLess, kGreater, kGreaterOrEqual: y is bool; a_by * 2^8 * a is compared with b_by * 2^8 * b. Scales are
// below 1. False for other kinds, and where a zero point other than that of b in kPRelu is not 0.
bool PlanBinaryS16(BinaryKind kind, const QuantizationParams& a, const QuantizationParams& b,
                   const QuantizationParams& y, const Clamp& clamp, BinaryFixedOp* op);
// Strides as those of BinaryFixedFn. y may be an input of its type whose stride is 1.
void BinaryS16(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b, size_t b_stride,
               void* y, size_t n);

}  // namespace micrort
