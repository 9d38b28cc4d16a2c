#pragma once
// Contract of the int8 GEMM micro-kernels: exact int32 sums of one panel of columns.
//
// The left matrix is read by rows, whose elements may be widened to int16; the right one is packed. The depth
// of both is padded with zeros to a multiple of kr.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// Outputs of layers whose rows share one quantization, without a residual:
// y[i][j] = clamp(zero_point + round_half_even(float(sums[i][j] + bias[j]) * multipliers[j]), lo, hi)
struct GemmS8Output {
  int8_t* y;
  size_t stride;             // bytes from row to row
  const int32_t* bias;       // [nr], readable but unused from n on
  const float* multipliers;  // as bias; finite
  int32_t zero_point;
  int32_t lo, hi;  // within [-128, 127]
};

// sums[i][j] = sum over k < depth of a[i][k] * b[k][j], for all i < m, j < n; no sum may leave the range of
// int32. Instructions that multiply unsigned by signed bytes take A + 128, padded with any byte: their sums
// are larger by 128 times the sum of the column of B.
struct GemmS8Block {
  size_t m;  // rows, any number
  size_t n;  // columns that exist: 1..nr
  size_t depth;
  const void* a;    // in the form that the micro-kernel's row asks for
  size_t a_stride;  // bytes from row to row
  const int8_t* b;  // packed [depth / kr][nr][kr]
  // [m rounded up to a multiple of mr][nr]; those of other rows and columns may become anything.
  int32_t* sums;
  // Or null, as for all micro-kernels of kSums. Others may write these outputs instead of sums, and then set
  // `*written`.
  const GemmS8Output* output = nullptr;
  bool* written = nullptr;
  bool full_range = false;  // some element of B is -128; said to kernels that take kInt8Pairs
};

using GemmS8Fn = void (*)(const GemmS8Block& block);

// kInt8Pairs: int8, and two products at a time are added as int16, where they fit unless B holds -128.
enum class GemmS8Left { kInt8, kInt8Pairs, kInt16, kOffset128 };

// What a micro-kernel writes: sums, or also outputs where they are asked for.
enum class GemmS8Result { kSums, kOutputs };

struct GemmS8Kernel {
  const char* name;      // "avx2_6x16"
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr, nr, kr;
  GemmS8Left left;
  GemmS8Result result;
  GemmS8Fn run;
};

constexpr size_t kMaxGemmS8Tile = 512;  // limit of mr * nr

// So many products of two int8 sum up to less than 2^31.
constexpr int64_t kMaxGemmS8Depth = 131071;

// Weakest first. All give the same sums.
Span<const GemmS8Kernel> GemmS8Kernels();

#define MICRORT_GEMM_S8(name, ...) void GemmS8_##name(const GemmS8Block& block);
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8

}  // namespace micrort
