#pragma once
// Sums and products of int8, computed in floats and rounded once: what kernels/elementwise/convert_f32.h and
// binary_f32.h give one after another, without the floats in memory.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/elementwise/binary_kind.h"
#include "kernels/elementwise/convert_f32.h"

namespace micrort {

// y = quantize(clamp(dequantize(a) kind dequantize(b), lo, hi))
struct BinaryS8Op {
  BinaryKind kind;  // kAdd, kSub or kMul
  QuantizationParams a, b, y;
  bool clamps;
  float lo, hi;
};

constexpr bool HasBinaryS8(BinaryKind kind) {
  return kind == BinaryKind::kAdd || kind == BinaryKind::kSub || kind == BinaryKind::kMul;
}

// Strides of a and b are 1, or 0 for one element that meets all. y may be an input whose stride is 1.
using BinaryS8Fn = void (*)(const BinaryS8Op& op, const int8_t* a, size_t a_stride, const int8_t* b,
                            size_t b_stride, int8_t* y, size_t n);

struct BinaryS8Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  BinaryS8Fn run;
};

// Weakest first. All give the same bits.
Span<const BinaryS8Kernel> BinaryS8Kernels();
const BinaryS8Kernel& SelectBinaryS8(CpuFeatures features);

#define MICRORT_BINARY_S8(name, set)                                                            \
  void BinaryS8_##name(const BinaryS8Op& op, const int8_t* a, size_t a_stride, const int8_t* b, \
                       size_t b_stride, int8_t* y, size_t n);
#include "kernels/elementwise/binary_s8.inc"
#undef MICRORT_BINARY_S8

}  // namespace micrort
