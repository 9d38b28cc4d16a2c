#pragma once
// Batched matrix products, with everything decided. One product is a 1x1 convolution whose batch items are
// the rows of a.

#include "kernels/base/shape.h"
#include "kernels/mat_mul/conv_layer.h"

namespace micrort {

struct MatMulCall {
  bool transpose_b;
  bool is_plain;       // computed by PlainProduct or RunProductS16 instead of a layer
  ConvLayer layer;     // of one product
  int64_t rows;        // of a in one product
  int64_t b_matrices;  // different matrices of b
  int64_t products;
  // Leading dimensions of the output, and for each the number of matrices that a step along it skips.
  int batch_rank;
  int64_t batch_dims[kMaxRank], a_steps[kMaxRank], b_steps[kMaxRank];
};

// b's matrix `i`. `weights` are those of matrix 0; their data may be null where they are packed.
ConvWeights MatrixOf(const MatMulCall& call, ConvWeights weights, int64_t i);
// The strides of one matrix of b.
void SetMatrixStrides(const MatMulCall& call, ConvWeights* weights);

// `tensors` and `weights` are those of all products: of a, b, residual and y the first.
void RunMatMul(const MatMulCall& call, const ConvWeights& weights, const ConvTensors& tensors,
               const Parallel& parallel);

}  // namespace micrort
