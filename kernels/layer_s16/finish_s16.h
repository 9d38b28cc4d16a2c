#pragma once
// Contract of the epilogue of int16 layers: tiles of int32 sums to int16.
//
// A sum, its bias and its product with a number of 15 bits are integers that a double holds exactly, and so
// are their multiples by powers of two: floating point rounds as TensorFlow Lite's integers of 64 bits do.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// Sums with their bias that stay below this are exact.
constexpr int64_t kMaxExactSumS16 = int64_t{1} << 37;

// y[i][j] = clamp(floor((bias[j] + the sum of block[i][j] over all blocks) * scales[j] + 1/2))
struct FinishS16Tile {
  size_t m, n;
  const int32_t* acc;  // [blocks][m][n] with acc_stride and block_stride, in elements
  size_t acc_stride;   // readable up to the next multiple of 8 columns
  size_t blocks, block_stride;
  const double* bias;    // [n rounded up to a multiple of 8], integers
  const double* scales;  // as bias; integers of 15 bits times powers of two
  int32_t lo, hi;        // within [-32768, 32767]
  int16_t* y;            // [m][n]
  size_t y_stride;
};

using FinishS16Fn = void (*)(const FinishS16Tile& tile);

struct FinishS16Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  FinishS16Fn run;
};

// Weakest first. All give the same bits.
Span<const FinishS16Kernel> FinishS16Kernels();

#define MICRORT_FINISH_S16(name, set) void FinishS16_##name(const FinishS16Tile& tile);
#include "kernels/layer_s16/finish_s16.inc"
#undef MICRORT_FINISH_S16

}  // namespace micrort
