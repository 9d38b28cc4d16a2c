#pragma once
// Contract of the GEMM micro-kernels of int16 by int8: exact int32 sums of one panel of columns.

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/gemm_s8.h"

namespace micrort {

// As GemmS8Block says, without an output. The form of A's rows is GemmS16Left's.
using GemmS16Fn = GemmS8Fn;

// kWords: int16. kBytes, for instructions that multiply bytes: all high bytes of a block of the depth, and
// then all its low bytes less 128; sums are smaller by kLowByteOffset times the sum of the column of B.
enum class GemmS16Left { kWords, kBytes };
constexpr int kLowByteOffset = 128;

struct GemmS16Kernel {
  const char* name;      // "avx2_6x16"
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr, nr, kr;
  GemmS16Left left;
  GemmS16Fn run;
};

// So many products of an int16 and an int8 sum up to less than 2^31. A micro-kernel takes the largest
// multiple of its kr within it.
constexpr size_t kMaxGemmS16Depth = 510;
constexpr size_t GemmS16BlockDepth(size_t kr) { return kMaxGemmS16Depth / kr * kr; }

// Weakest first. All give the same sums.
Span<const GemmS16Kernel> GemmS16Kernels();

#define MICRORT_GEMM_S16(name, set, mr, nr, kr, left, function) void function(const GemmS8Block& block);
#include "kernels/gemm/gemm_s16.inc"
#undef MICRORT_GEMM_S16

}  // namespace micrort
