#pragma once
// Contract of the GEMM micro-kernels of int16 by int8: exact int32 sums of one panel of columns.

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/gemm_s8.h"

namespace micrort {

// As GemmS8Block says: the rows of A are int16, the panel is [depth / 2][nr][2], and there is no output.
using GemmS16Fn = GemmS8Fn;

struct GemmS16Kernel {
  const char* name;      // "avx2_6x16"
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr, nr;
  GemmS16Fn run;
};

// Steps of the depth whose weights of one column are side by side.
constexpr size_t kGemmS16Kr = 2;

// So many products of an int16 and an int8 sum up to less than 2^31; a multiple of kGemmS16Kr.
constexpr size_t kMaxGemmS16Depth = 510;

// Weakest first. All give the same sums.
Span<const GemmS16Kernel> GemmS16Kernels();

#define MICRORT_GEMM_S16(name, set, mr, nr, function) void function(const GemmS8Block& block);
#include "kernels/gemm/gemm_s16.inc"
#undef MICRORT_GEMM_S16

}  // namespace micrort
