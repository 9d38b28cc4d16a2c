#pragma once
// Sums and products of int8 in integers, as TensorFlow Lite's reference kernels compute them.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/fixed_point.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/elementwise/binary_kind.h"
#include "kernels/elementwise/convert_f32.h"

namespace micrort {

// kAdd, kSub: y = by * (a_by * 2^20 * (a - a_zero) +- b_by * 2^20 * (b - b_zero)) + y_zero
// kMul:       y = by * (a - a_zero) * (b - b_zero) + y_zero
// clamped to [lo, hi]; every product with a multiplier is rounded (kernels/base/fixed_point.h).
struct BinaryFixedOp {
  BinaryKind kind;
  int32_t a_zero, b_zero, y_zero;
  FixedMultiplier a_by, b_by, by;
  int32_t lo, hi;  // within [-128, 127]
};

// A clamp of real numbers.
struct Clamp {
  float lo = -INFINITY, hi = INFINITY;
};

// False for other kinds.
bool PlanBinaryFixed(BinaryKind kind, const QuantizationParams& a, const QuantizationParams& b,
                     const QuantizationParams& y, const Clamp& clamp, BinaryFixedOp* op);

// Strides of a and b are 1, or 0 for one element that meets all. y may be an input whose stride is 1.
using BinaryFixedFn = void (*)(const BinaryFixedOp& op, const int8_t* a, size_t a_stride, const int8_t* b,
                               size_t b_stride, int8_t* y, size_t n);

struct BinaryFixedKernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  BinaryFixedFn run;
};

// Weakest first. All give the same bits.
Span<const BinaryFixedKernel> BinaryFixedKernels();
const BinaryFixedKernel& SelectBinaryFixed(CpuFeatures features);

#define MICRORT_BINARY_FIXED(name, set)                                                               \
  void BinaryFixed_##name(const BinaryFixedOp& op, const int8_t* a, size_t a_stride, const int8_t* b, \
                          size_t b_stride, int8_t* y, size_t n);
#include "kernels/elementwise/binary_fixed.inc"
#undef MICRORT_BINARY_FIXED

}  // namespace micrort
