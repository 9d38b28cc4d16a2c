#pragma once
// Contract of the int8 GEMM micro-kernels: one tile of exact int32 sums.
//
// The left matrix is read by rows, whose elements may be widened to int16; the right one is packed. The depth
// of both is padded with zeros to a multiple of kr.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/span.h"

namespace micrort {

// tile[i][j] = sum over k < depth of A[i][k] * B[k][j], for all i < mr, j < nr; no sum may leave the range of
// int32.
//   m      rows whose sums are wanted, 1..mr; those of others may be anything
//   a      mr pointers to rows of `depth` elements, in the form that the micro-kernel's row asks for
//   b      packed [depth / kr][nr][kr]
//   tile   [mr][nr]
// Instructions that multiply unsigned by signed bytes take A + 128, padded with any byte: their sums are
// larger by 128 times the sum of the column of B.
using GemmS8Fn = void (*)(size_t m, size_t depth, const void* const* a, const int8_t* b, int32_t* tile);

enum class GemmS8Left { kInt8, kInt16, kOffset128 };

struct GemmS8Kernel {
  const char* name;      // "avx2_6x16"
  CpuFeatures features;  // all required
  size_t mr, nr, kr;
  GemmS8Left left;
  GemmS8Fn run;
};

constexpr size_t kMaxGemmS8Rows = 16, kMaxGemmS8Tile = 512;  // limits of mr and mr * nr

// So many products of two int8 sum up to less than 2^31.
constexpr int64_t kMaxGemmS8Depth = 131071;

// Weakest first. All give the same sums.
Span<const GemmS8Kernel> GemmS8Kernels();

#define MICRORT_GEMM_S8(name, features, mr, nr, kr, left) \
  void GemmS8_##name(size_t m, size_t depth, const void* const* a, const int8_t* b, int32_t* tile);
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8

}  // namespace micrort
