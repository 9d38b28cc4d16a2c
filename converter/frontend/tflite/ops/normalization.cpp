// L2_NORMALIZATION, LOCAL_RESPONSE_NORMALIZATION, SOFTMAX and LOG_SOFTMAX, over the last dimension.

#include <cmath>

#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/ops/integer_sums.h"
#include "converter/frontend/tflite/registry.h"
#include "kernels/elementwise/softmax_s16.h"

namespace micrort::frontend::tflite {

namespace {

// x / sqrt(max(sum of squares, a small number))
Status ImportL2Normalization(OpContext& c) {
  constexpr float kSmallest = 1e-12f;
  if (c.x().rank() < 1) return Invalid("the norm of a scalar");
  const ir::ValueId x = c.input(0);
  ir::ValueId sum = c.build.Reduce(schema::ReduceKind::SumSquare, x, {c.x().rank() - 1}, true);
  sum = c.build.Max(sum, c.build.Scalar(kSmallest));
  const ir::ValueId y = c.build.Div(x, c.build.Sqrt(sum));
  return c.Return(y, c.op.Options<fb::L2NormOptionsT>().fused_activation_function);
}

// x / (bias + alpha * sum of the squares of the channels within `radius`) ^ beta
Status ImportLocalResponseNormalization(OpContext& c) {
  const auto o = c.op.Options<fb::LocalResponseNormalizationOptionsT>();
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 4));
  constexpr int32_t kMaxRadius = 1 << 12;
  if (o.radius < 0 || o.radius > kMaxRadius) return Invalid("radius {}", o.radius);
  const ir::ValueId x = c.input(0);
  // Channels are slid over as the columns of an image.
  const ir::ValueId squares = c.build.Mul(x, x);
  const ir::ValueId rows = c.build.Reshape(squares, {1, ir::kInferDim, ir::CopyDim(3), 1});
  schema::Pool2DOptionsT pool;
  pool.kind = schema::PoolKind::Sum;
  pool.kernel_w = 2 * o.radius + 1;
  pool.pad_left = pool.pad_right = o.radius;
  const ir::ValueId pooled = c.build.Add(std::move(pool), {rows});
  ir::ValueId sums = c.build.Reshape(pooled, {ir::kInferDim});
  sums = c.build.ReshapeTo(sums, c.build.ShapeOf(x));
  ir::ValueId base = c.build.Mul(sums, c.build.Scalar(o.alpha));
  base = c.build.Add(base, c.build.Scalar(o.bias));
  return c.Return(c.build.Div(x, c.build.Pow(base, c.build.Scalar(o.beta))));
}

// x times beta is x with another scale.
bool HasInt16Softmax(OpContext& c, float beta, ir::Quantization* x) {
  ir::Quantization y;
  if (!ComputesInt16(c, 1) || !ReadQuantization(c.op.tensor(0), x).ok() ||
      !ReadQuantization(c.op.output_tensor(0), &y).ok()) {
    return false;
  }
  x->scales[0] *= beta;
  if (!(x->scales[0] > 0) || !std::isfinite(x->scales[0])) return false;
  const int64_t row = c.value(c.stored(0)).shape.back();
  return row != ir::kDynamic && row <= static_cast<int64_t>(kMaxSoftmaxS16Row) &&
         std::fabs(y.scales[0] / kSoftmaxS16Scale - 1.0f) <= kSoftmaxS16Tolerance;
}

Status ImportSoftmax(OpContext& c) {
  const float beta = c.op.Options<fb::SoftmaxOptionsT>().beta;
  if (c.x().rank() < 1) return Invalid("the softmax of a scalar");
  if (ir::Quantization scaled; HasInt16Softmax(c, beta, &scaled)) {
    schema::SoftmaxOptionsT options;
    options.axis = c.x().rank() - 1;
    return ReturnInt16(c, options, {beta == 1.0f ? c.stored(0) : Relabelled(c.build, c.stored(0), scaled)});
  }
  ir::ValueId x = c.input(0);
  if (beta != 1.0f) x = c.build.Mul(x, c.build.Scalar(beta));
  return c.Return(c.build.Softmax(x, c.x().rank() - 1));
}

Status ImportLogSoftmax(OpContext& c) {
  if (c.x().rank() < 1) return Invalid("the softmax of a scalar");
  return c.Return(c.build.Softmax(c.input(0), c.x().rank() - 1, true));
}

constexpr TypeSet kSoftmaxed = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);

}  // namespace

const ImporterList NormalizationImporters = {
    {"L2_NORMALIZATION", 1, 1, ImportL2Normalization, Types(kFloat32 | kBytes)},
    {"LOCAL_RESPONSE_NORMALIZATION", 1, 1, ImportLocalResponseNormalization, Types(kFloat32)},
    {"LOG_SOFTMAX", 1, 1, ImportLogSoftmax, Types(kSoftmaxed)},
    {"SOFTMAX", 1, 1, ImportSoftmax, Types(kSoftmaxed)},
};

}  // namespace micrort::frontend::tflite
