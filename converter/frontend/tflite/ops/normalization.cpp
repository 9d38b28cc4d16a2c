// L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION, over the last dimension.

#include "converter/frontend/tflite/registry.h"

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

}  // namespace

const ImporterList NormalizationImporters = {
    {"L2_NORMALIZATION", 1, 1, ImportL2Normalization, Types(kFloat32 | kBytes)},
    {"LOCAL_RESPONSE_NORMALIZATION", 1, 1, ImportLocalResponseNormalization, Types(kFloat32)},
};

}  // namespace micrort::frontend::tflite
