// Batch normalization, normalization over channels, softmax, and losses of a classifier with their gradients
// by its scores.

#include "converter/frontend/tensorflow/ops/image.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// One number a channel, in a shape that broadcasts with the input.
ir::ValueId AlongChannels(OpContext& c, ir::ValueId v) {
  return IsChannelsFirst(c) ? c.build.Along(v, 0, c.rank() - 1) : v;
}

// running * (1 - factor) + current * factor
ir::ValueId Updated(OpContext& c, ir::ValueId running, ir::ValueId current) {
  const float factor = c.Float("exponential_avg_factor", 1);
  if (factor == 1) return current;  // the running one is empty
  return c.build.Add(c.build.Mul(running, c.build.Scalar(1 - factor)),
                     c.build.Mul(current, c.build.Scalar(factor)));
}

// By the statistics of the batch at hand, which some generators use after their training, too.
Status NormalizeBatch(OpContext& c) {
  ir::Builder& b = c.build;
  const std::vector<int32_t> axes = ir::OtherAxes(c.rank(), {IsChannelsFirst(c) ? 1 : c.rank() - 1});
  const auto mean_of = [&](ir::ValueId x) { return b.Reduce(schema::ReduceKind::Mean, x, axes, false); };
  const ir::ValueId mean = mean_of(c.input(0));
  const ir::ValueId centered = b.Sub(c.input(0), AlongChannels(c, mean));
  const ir::ValueId variance = mean_of(b.Mul(centered, centered));
  const ir::ValueId deviation = b.Sqrt(b.Add(variance, b.Scalar(c.Float("epsilon", 0.0001f))));
  const ir::ValueId factor = b.Div(c.input(1), deviation);
  c.SetOutput(0, b.Add(b.Mul(centered, AlongChannels(c, factor)), AlongChannels(c, c.input(2))));
  // The variance is handed on as that of a sample: over one element less.
  ir::ValueId count = b.DimOf(c.input(0), axes[0]);
  for (size_t i = 1; i < axes.size(); ++i) count = b.Mul(count, b.DimOf(c.input(0), axes[i]));
  const ir::ValueId elements = b.Cast(count, DType::kFloat32);
  const ir::ValueId others = b.Max(b.Sub(elements, b.Scalar(1)), b.Scalar(1));
  c.SetOutput(1, Updated(c, c.input(3), mean));
  c.SetOutput(2, Updated(c, c.input(4), b.Mul(variance, b.Div(elements, others))));
  return b.status();
}

// inputs: x, scale, offset, mean, variance; y = (x - mean) * (scale / sqrt(variance + epsilon)) + offset.
Status ImportFusedBatchNorm(OpContext& c) {
  if (c.rank() < 2) return Invalid("x: expected an image, found {} dimensions", c.rank());
  if (c.Bool("is_training", true)) return NormalizeBatch(c);
  ir::Builder& b = c.build;
  const ir::ValueId variance = b.Add(c.input(4), b.Scalar(c.Float("epsilon", 0.0001f)));
  const ir::ValueId factor = b.Div(c.input(1), b.Sqrt(variance));
  const ir::ValueId shift = b.Sub(c.input(2), b.Mul(c.input(3), factor));
  c.SetOutput(0, b.Add(b.Mul(c.input(0), AlongChannels(c, factor)), AlongChannels(c, shift)));
  // What inference does not change, as TensorFlow hands it on.
  c.SetOutput(1, c.input(3));
  c.SetOutput(2, c.input(4));
  return b.status();
}

// inputs: x [N,H,W,C], mean, variance, beta, gamma, which counts where the attribute says so.
Status ImportOldBatchNorm(OpContext& c) {
  ir::Builder& b = c.build;
  const float epsilon = c.Float("variance_epsilon", 0.001f);
  const ir::ValueId variance = b.Add(c.input(2), b.Scalar(epsilon));
  ir::ValueId factor = b.Reciprocal(b.Sqrt(variance));
  if (c.Bool("scale_after_normalization", true)) factor = b.Mul(c.input(4), factor);
  const ir::ValueId shift = b.Sub(c.input(3), b.Mul(c.input(1), factor));
  return c.Return(b.Add(b.Mul(c.input(0), factor), shift));
}

// Over the last dimension: x / (bias + alpha * sum of squares of 2 * radius + 1 neighbours) ^ beta.
Status ImportLrn(OpContext& c) {
  const int64_t radius = c.Int("depth_radius", 5);
  if (radius < 0 || radius > 4096) return Invalid("depth_radius {}", radius);
  ir::Builder& b = c.build;
  // Channels become the width of an image, over which sums are pooled.
  const ir::ValueId squares = b.Mul(c.input(0), c.input(0));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  const ir::ValueId row = b.Transpose(squares, {0, 1, 3, 2});
  schema::Pool2DOptionsT options;
  options.kind = schema::PoolKind::Sum;
  options.kernel_w = static_cast<int32_t>(2 * radius + 1);
  options.pad_left = options.pad_right = static_cast<int32_t>(radius);
  // [N,H,C,W]: height stays, the window runs over what is now the width.
  const ir::ValueId sums = b.Transpose(b.Add(std::move(options), {row}), {0, 1, 3, 2});
  const ir::ValueId scaled = b.Mul(sums, b.Scalar(c.Float("alpha", 1)));
  const ir::ValueId base = b.Add(scaled, b.Scalar(c.Float("bias", 1)));
  const ir::ValueId power = b.Pow(base, b.Scalar(c.Float("beta", 0.5f)));
  return c.Return(b.Div(c.input(0), power));
}

template <bool log>
Status ImportSoftmax(OpContext& c) {
  if (c.rank() < 1) return Invalid("softmax of a scalar");
  return c.Return(c.build.Softmax(c.input(), c.rank() - 1, log));
}

using schema::ReduceKind;

// scores [N,C], labels: a distribution each.
Status CrossEntropy(OpContext& c, ir::ValueId labels) {
  ir::Builder& m = c.build;
  const ir::ValueId logs = c.build.Softmax(c.input(0), 1, true);
  const ir::ValueId sum = c.build.Reduce(ReduceKind::Sum, m.Mul(labels, logs), {1}, false);
  return c.Return({c.build.Neg(sum), m.Sub(c.build.Softmax(c.input(0), 1), labels)});
}

Status ImportDense(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 2));
  return CrossEntropy(c, c.input(1));
}

// One label for each row.
Status ImportSparse(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  const int64_t classes = c.x(0).shape[1];
  if (classes == ir::kDynamic) return Unsupported("a number of classes that is not fixed");
  const ir::ValueId zero = c.build.Integer(0), one = c.build.Integer(1);
  const ir::ValueId numbers = c.build.Range({zero, c.build.Integer(classes), one});
  const ir::ValueId rows = c.build.Reshape(c.AsInt64(c.input(1)), {CopyDim(0), 1});
  const ir::ValueId is_label = c.build.Equal(rows, numbers);
  return CrossEntropy(c, c.build.Cast(is_label, c.x(0).dtype));
}

}  // namespace

const ImporterList NormalizationOps = {
    {"BatchNormWithGlobalNormalization", 5, 5, ImportOldBatchNorm},
    {"FusedBatchNorm", 5, 5, ImportFusedBatchNorm},
    {"FusedBatchNormV2", 5, 5, ImportFusedBatchNorm},
    {"FusedBatchNormV3", 5, 5, ImportFusedBatchNorm},
    {"LRN", 1, 1, ImportLrn},
    {"LogSoftmax", 1, 1, ImportSoftmax<true>},
    {"Softmax", 1, 1, ImportSoftmax<false>},
    {"SoftmaxCrossEntropyWithLogits", 2, 2, ImportDense},
    {"SparseSoftmaxCrossEntropyWithLogits", 2, 2, ImportSparse, "a number of classes that is not fixed"},
};

}  // namespace micrort::frontend::tensorflow
