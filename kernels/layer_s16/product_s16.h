#pragma once
// Products of two int16 matrices, as TensorFlow Lite's reference kernel of BATCH_MATMUL computes them: with
// sums of 64 bits.

#include <cstdint>

#include "kernels/base/parallel.h"
#include "kernels/gemm/plain_product.h"

namespace micrort {

// Sums of so many products stay below 2^47.
constexpr int64_t kMaxProductS16Depth = (int64_t{1} << 17) - 1;

// Zero points are 0, and a_scale * b_scale < kMaxScaleRatioS16 * y_scale.
struct ProductS16Scales {
  float a, b, y;
};

// Needs p.depth <= kMaxProductS16Depth. y overlaps neither a nor b.
void RunProductS16(const PlainProduct& p, const ProductS16Scales& scales, const int16_t* a, const int16_t* b,
                   int16_t* y, const Parallel& parallel);

}  // namespace micrort
