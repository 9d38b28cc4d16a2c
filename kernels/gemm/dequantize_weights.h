#pragma once
// Contract of the micro-kernels that make floats of a panel of narrow weights (kernels/gemm/packed_b.h), a
// block of its depth at a time, right before a GEMM micro-kernel reads them.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// out[k][j] = b[k][j] * scales[j] for k < rows, j < nr; nr is once, twice or four times the lanes.
using DequantizeWeightsS8Fn = void (*)(const int8_t* b, const float* scales, size_t rows, size_t nr,
                                       float* out);

// The same for 4-bit integers with scales for every kInt4Run rows. A run is its scales, float or half [nr],
// and behind them bytes [kInt4Run / 2][nr], which hold an even row in their lower halves and the odd one
// behind it in their upper halves. The last run may be shorter. `rows` is even.
using DequantizeWeightsS4Fn = void (*)(const uint8_t* runs, size_t rows, size_t nr, bool half_scales,
                                       float* out);
constexpr size_t kInt4Run = 32;
constexpr size_t Int4RunBytes(size_t rows, size_t nr, bool half_scales) {
  return nr * ((half_scales ? sizeof(uint16_t) : sizeof(float)) + rows / 2);
}

struct DequantizeWeightsKernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  size_t lanes;  // floats dequantized at once
  DequantizeWeightsS8Fn s8;
};

// Weakest first. All give the same bits.
Span<const DequantizeWeightsKernel> DequantizeWeightsKernels();
// The strongest for panels of nr columns that `features` allow. nr is that of a float GEMM micro-kernel.
const DequantizeWeightsKernel& SelectDequantizeWeights(CpuFeatures features, size_t nr);
// Of a variant with this id. A part (kernels/base/part.h) of programs with weights of 4 bits.
DequantizeWeightsS4Fn DequantizeWeightsS4Of(KernelId id);

#define MICRORT_DEQUANTIZE_WEIGHTS(name, set, lanes)                                                         \
  void DequantizeWeightsS8_##name(const int8_t* b, const float* scales, size_t rows, size_t nr, float* out); \
  void DequantizeWeightsS4_##name(const uint8_t* runs, size_t rows, size_t nr, bool half_scales, float* out);
#include "kernels/gemm/dequantize_weights.inc"
#undef MICRORT_DEQUANTIZE_WEIGHTS

}  // namespace micrort
