#pragma once
// Floats from the sums of int8 layers, with any activation: a part (kernels/base/part.h).

#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/elementwise/prelu_f32.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/gemm/requantize.h"

namespace micrort {

// Plain data.
struct FloatOutputS8 {
  DequantizeTileFn dequantize;
  UnaryOp activation;
  UnaryF32Fn activate;  // null for clamps, which `dequantize` applies, and for kPRelu
  PReluF32Fn prelu;     // null for others

  // `slopes`: [n] of kPRelu.
  void Finish(const AccumulatorTile& tile, const DequantizeOutput& out, const float* slopes) const {
    dequantize(tile, out);
    if (prelu != nullptr) return prelu(slopes, out.y, tile.m, tile.n, out.stride);
    if (activate == nullptr) return;
    if (out.stride == tile.n) return activate(activation, out.y, out.y, tile.m * tile.n);
    for (size_t i = 0; i < tile.m; ++i) {
      activate(activation, out.y + i * out.stride, out.y + i * out.stride, tile.n);
    }
  }
};

void PlanFloatOutputS8(const LayerTypes& types, CpuFeatures features, ConvPlan* plan);
FloatOutputS8 MakeFloatOutputS8(const LayerTypes& types, const ConvPlan& plan);

}  // namespace micrort
