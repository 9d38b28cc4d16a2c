#pragma once
// Functions of two float variables.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/elementwise/binary_kind.h"

namespace micrort {

// y[i] = kind(a[i * a_stride], b[i * b_stride]) for i < n; strides are 0 or 1, not both 0. y is a float*, or,
// for comparisons, a uint8_t* that receives 0 or 1. y may be an input whose stride is 1.
using BinaryF32Fn = void (*)(BinaryKind kind, const float* a, size_t a_stride, const float* b,
                             size_t b_stride, void* y, size_t n);

struct BinaryF32Kernel {
  const char* name;      // "binary_f32_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  BinaryF32Fn run;  // for the kinds that HasVectorBinaryF32() names
};

// Weakest first. All give the same bits.
Span<const BinaryF32Kernel> BinaryF32Kernels();

// False for kPow, kMod and kFmod, which the C library computes, and for logical and bitwise kinds.
bool HasVectorBinaryF32(BinaryKind kind);

// The kernel for a kind: a row, or the C library (powers in double, then rounded). `run` is null for logical
// and bitwise kinds.
BinaryF32Kernel SelectBinaryF32(BinaryKind kind, CpuFeatures features);

#define MICRORT_BINARY_F32(name, set)                                                                      \
  void BinaryF32_##name(BinaryKind kind, const float* a, size_t a_stride, const float* b, size_t b_stride, \
                        void* y, size_t n);
#include "kernels/elementwise/binary_f32.inc"
#undef MICRORT_BINARY_F32

}  // namespace micrort
