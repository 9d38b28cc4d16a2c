#include "kernels/mat_mul/mat_mul.h"

#include "kernels/base/has_int16.h"
#include "kernels/base/part.h"
#include "kernels/gemm/plain_product.h"
#include "kernels/layer_s16/product_s16.h"

namespace micrort {

MICRORT_PART(RunPlainProduct);
MICRORT_PART(RunProductS16);

namespace {

const void* BytesAt(const void* data, int64_t offset) {
  return data == nullptr ? nullptr : static_cast<const uint8_t*>(data) + offset;
}

// Products of numbers that no layer computes.
void RunPlain(const MatMulCall& call, const float* b_scale, const void* a, const void* b, void* y,
              const Parallel& parallel) {
  const Conv2DParams& p = call.layer.params;
  const PlainProduct product = {p.types.x, call.transpose_b, call.rows, p.in_c, p.out_c};
  if (kHasInt16 && p.types.is_s16()) {
    RunProductS16(product, {p.types.x_scale, *b_scale, p.types.y_scale}, static_cast<const int16_t*>(a),
                  static_cast<const int16_t*>(b), static_cast<int16_t*>(y), parallel);
  } else {
    RunPlainProduct(product, a, b, y, parallel);
  }
}

}  // namespace

void SetMatrixStrides(const MatMulCall& call, ConvWeights* weights) {
  const Conv2DParams& p = call.layer.params;
  weights->column_stride = call.transpose_b ? p.in_c : 1;
  weights->depth_stride = call.transpose_b ? 1 : p.out_c;
}

ConvWeights MatrixOf(const MatMulCall& call, ConvWeights weights, int64_t i) {
  const Conv2DParams& p = call.layer.params;
  const DType dtype = call.is_plain ? p.types.x : p.types.weights;
  weights.data = BytesAt(weights.data, i * p.in_c * p.out_c * static_cast<int64_t>(SizeOf(dtype)));
  return weights;
}

void RunMatMul(const MatMulCall& call, const ConvWeights& weights, const ConvTensors& tensors,
               const Parallel& parallel) {
  const Conv2DParams& p = call.layer.params;
  const int64_t x_bytes = call.rows * p.in_c * static_cast<int64_t>(SizeOf(p.types.x));
  const int64_t y_bytes = call.rows * p.out_c * static_cast<int64_t>(SizeOf(p.types.y));
  for (int64_t i = 0; i < call.products; ++i) {
    int64_t a_matrix = 0, b_matrix = 0, rest = i;
    for (int d = call.batch_rank - 1; d >= 0 && call.products > 1; --d) {
      a_matrix += rest % call.batch_dims[d] * call.a_steps[d];
      b_matrix += rest % call.batch_dims[d] * call.b_steps[d];
      rest /= call.batch_dims[d];
    }
    ConvTensors product = tensors;
    product.x = BytesAt(tensors.x, a_matrix * x_bytes);
    product.residual = BytesAt(tensors.residual, i * y_bytes);
    product.y = static_cast<uint8_t*>(tensors.y) + i * y_bytes;
    const ConvWeights matrix = MatrixOf(call, weights, b_matrix);
    if (call.is_plain) {
      RunPlain(call, weights.scales, product.x, matrix.data, product.y, parallel);
    } else {
      RunConvLayer(call.layer, matrix, b_matrix, product, parallel);
    }
  }
}

}  // namespace micrort
