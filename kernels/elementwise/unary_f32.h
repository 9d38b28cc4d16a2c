#pragma once
// Functions of one float variable.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/elementwise/unary_kind.h"

namespace micrort {

// y[i] = op(x[i]) for i < n. y may be x, but must not overlap it in another way.
using UnaryF32Fn = void (*)(const UnaryOp& op, const float* x, float* y, size_t n);

struct UnaryF32Kernel {
  const char* name;      // "unary_f32_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  UnaryF32Fn run;  // for the kinds that HasVectorUnaryF32() names
};

// Weakest first. All give the same bits.
Span<const UnaryF32Kernel> UnaryF32Kernels();

// False for kinds of other types (kNot, kIsNaN, kIsInf, kBitwiseNot) and for those that the C library
// computes.
bool HasVectorUnaryF32(UnaryKind kind);

// By the C library, in double: a part (kernels/base/part.h).
void UnaryF32Library(const UnaryOp& op, const float* x, float* y, size_t n);

// The kernel for a kind: a row, or the C library. The library evaluates in double and the result is rounded,
// so that libraries whose last bits differ agree but for about one value in 2^28. Without a name for kinds
// that are not functions from float to float, and where the program has not the part.
UnaryF32Kernel SelectUnaryF32(UnaryKind kind, CpuFeatures features);
// The same, where the row is decided.
UnaryF32Kernel UnaryF32Of(UnaryKind kind, KernelId row);

#define MICRORT_UNARY_F32(name, set) \
  void UnaryF32_##name(const UnaryOp& op, const float* x, float* y, size_t n);
#include "kernels/elementwise/unary_f32.inc"
#undef MICRORT_UNARY_F32

}  // namespace micrort
