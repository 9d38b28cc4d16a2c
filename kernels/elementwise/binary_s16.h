#pragma once
// Functions of two int16 tensors in integers, as TensorFlow Lite's reference kernels (for microcontrollers,
// where only these have them) compute them.

#include "kernels/elementwise/binary_fixed.h"

namespace micrort {

// Bits that come behind the point before a factor makes one scale of two.
constexpr int kSumExtraBitsS16 = 15, kComparisonExtraBitsS16 = 8;

// kAdd, kSub, kMul: as PlanBinaryFixed and BinaryFixedFn, but for 15 bits in the place of 20; of a sum, a_by
// or b_by is one half.
// kPRelu: b is int8; y = a_by * a, or by * a * (b - b_zero) where a is negative.
// kGreater: y is bool; a_by * 2^8 * a is compared with b_by * 2^8 * b. Scales are below 1.
// False for other kinds, and where a zero point other than that of b in kPRelu is not 0.
bool PlanBinaryS16(BinaryKind kind, const QuantizationParams& a, const QuantizationParams& b,
                   const QuantizationParams& y, const Clamp& clamp, BinaryFixedOp* op);

// Strides as those of BinaryFixedFn. y may be an input of its type whose stride is 1.
using BinaryS16Fn = void (*)(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b,
                             size_t b_stride, void* y, size_t n);

struct BinaryS16Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  BinaryS16Fn run;
};

// Weakest first. All give the same bits.
Span<const BinaryS16Kernel> BinaryS16Kernels();
const BinaryS16Kernel& SelectBinaryS16(CpuFeatures features);

#define MICRORT_BINARY_S16(name, set)                                                              \
  void BinaryS16_##name(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b, \
                        size_t b_stride, void* y, size_t n);
#include "kernels/elementwise/binary_s16.inc"
#undef MICRORT_BINARY_S16

}  // namespace micrort
