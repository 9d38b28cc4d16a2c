// Normalizations, and softmax.

#include "converter/frontend/common/axes.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

ir::ValueId Filling(OpContext& c, const std::vector<int64_t>& shape, float v) {
  int64_t elements = 1;
  for (const int64_t dim : shape) elements = SaturatedProduct(elements, dim);
  if (elements > ir::kMaxMade) {
    c.Fail(Unsupported("{} elements without weights", elements));
    return c.build.Scalar(v);
  }
  return c.build.Constant(shape, std::vector<float>(static_cast<size_t>(elements), v));
}

// An argument of one number a channel; where it is None, all of them are `v`.
ir::ValueId PerChannel(OpContext& c, size_t i, int64_t channels, float v) {
  return c.Has(i) ? c.TensorAt(i) : Filling(c, {channels}, v);
}

// (input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled)
void ImportBatchNorm(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int64_t channels = c.FixedDim(x, 1);
  const bool has_statistics = c.Has(3) && c.Has(4);
  if (c.Bool(5, false) && has_statistics) {
    c.Fail(Unsupported("training with statistics of its own; call model.eval() before saving it"));
    return;
  }
  // Without statistics, those of the batch count in inference, too.
  c.Return(c.Onnx("BatchNormalization",
                  {x, PerChannel(c, 1, channels, 1), PerChannel(c, 2, channels, 0),
                   PerChannel(c, 3, channels, 0), PerChannel(c, 4, channels, 1)},
                  {{"epsilon", static_cast<float>(c.Float(7, 1e-5))},
                   {"training_mode", int64_t{has_statistics ? 0 : 1}}}));
}

// (input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled)
void ImportInstanceNorm(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int64_t channels = c.FixedDim(x, 1);
  const ir::ValueId weight = PerChannel(c, 1, channels, 1), bias = PerChannel(c, 2, channels, 0);
  const auto epsilon = static_cast<float>(c.Float(7, 1e-5));
  if (!c.Bool(5, true) && c.Has(3) && c.Has(4)) {
    c.Return(c.Onnx("BatchNormalization", {x, weight, bias, c.TensorAt(3), c.TensorAt(4)},
                    {{"epsilon", epsilon}}));
    return;
  }
  c.Return(c.Onnx("InstanceNormalization", {x, weight, bias}, {{"epsilon", epsilon}}));
}

// (input, num_groups, weight, bias, eps, cudnn_enabled)
void ImportGroupNorm(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int64_t channels = c.FixedDim(x, 1);
  const bool has_no_sides = c.rank(x) == 2;
  const ir::ValueId y =
      c.Onnx("GroupNormalization",
             {has_no_sides ? c.Onnx("Unsqueeze", {x, c.Integers({2})}) : x, PerChannel(c, 2, channels, 1),
              PerChannel(c, 3, channels, 0)},
             {{"num_groups", c.Int(1, 1)}, {"epsilon", static_cast<float>(c.Float(4, 1e-5))}});
  c.Return(has_no_sides ? c.Onnx("Squeeze", {y, c.Integers({2})}) : y);
}

bool AreLastDims(OpContext& c, ir::ValueId x, const std::vector<int64_t>& shape) {
  const int rank = c.rank(x);
  if (shape.empty() || shape.size() > static_cast<size_t>(rank)) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t dim = c.dim(x, rank - static_cast<int>(shape.size() - i));
    if (shape[i] < 0 || (dim != ir::kDynamic && dim != shape[i])) return false;
  }
  return true;
}

// (input, normalized_shape, weight, bias, eps, ...)
void ImportLayerNorm(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const std::vector<int64_t> shape = c.Ints(1);
  if (!AreLastDims(c, x, shape)) return c.Fail(Invalid("a normalized shape other than the last dimensions"));
  const ir::ValueId weight = c.Has(2) ? c.TensorAt(2) : Filling(c, shape, 1);
  c.Return(c.Onnx(
      "LayerNormalization", {x, weight, c.OptionalTensor(3)},
      {{"axis", -static_cast<int64_t>(shape.size())}, {"epsilon", static_cast<float>(c.Float(4, 1e-5))}}));
}

// (self, dim, dtype)
template <bool log>
void ImportSoftmax(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  x = c.CastTo(x, c.Type(2, c.dtype(x)));
  const int axis = c.Axis(1, c.rank(x), -1);
  c.Return(c.Onnx(log ? "LogSoftmax" : "Softmax", {x}, {{"axis", int64_t{axis}}}));
}

constexpr char kBatchNorm[] =
    "input weight bias running_mean running_var training momentum eps cudnn_enabled";

// (v, g, dim): v, with norms g over all dimensions but one
void ImportWeightNorm(OpContext& c) {
  const ir::ValueId v = c.TensorAt(0);
  const int64_t given = c.Int(2, 0);
  const std::vector<int32_t> axes = ir::OtherAxes(c.rank(v), {static_cast<int32_t>(given)});
  const ir::ValueId norm = c.build.Reduce(schema::ReduceKind::L2, v, axes, true);
  c.Return(c.build.Mul(v, c.build.Div(c.TensorAt(1), norm)));
}

}  // namespace

const ImporterList NormalizationOps = {
    {"_weight_norm", "v g dim", ImportWeightNorm},
    {"batch_norm", kBatchNorm, ImportBatchNorm, "training with statistics of its own"},
    {"group_norm", "input num_groups weight bias eps cudnn_enabled", ImportGroupNorm},
    {"instance_norm", "input weight bias running_mean running_var use_input_stats momentum eps cudnn_enabled",
     ImportInstanceNorm},
    {"layer_norm", "input normalized_shape weight bias eps cudnn_enable", ImportLayerNorm},
    {"log_softmax", "self dim dtype", ImportSoftmax<true>},
    {"softmax", "self dim dtype", ImportSoftmax<false>},
};

}  // namespace micrort::frontend::torchscript
