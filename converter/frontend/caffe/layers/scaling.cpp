// Layers that multiply by and add what does not depend on the input: learned factors, and statistics of the
// data that the network was trained with.

#include <cmath>

#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

// Where factors lie: along the axes [begin, end) of the first bottom.
struct AxisRange {
  int begin = 0, end = 0;
};

// The shape of learned factors for these axes; followed by ones, so that they broadcast.
Result<std::vector<int64_t>> LearnedShape(const LayerContext& c, const AxisRange& axes) {
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, axes.begin, axes.end));
  std::vector<int64_t> shape;
  for (int i = axes.begin; i < axes.end; ++i) shape.push_back(c.dim(i));
  shape.resize(shape.size() + static_cast<size_t>(c.rank() - axes.end), 1);
  return shape;
}

Result<AxisRange> LearnedAxes(const LayerContext& c, int axis, int num_axes) {
  AxisRange out;
  MICRORT_ASSIGN_OR_RETURN(out.begin, c.Axis(axis, c.rank()));
  MICRORT_RETURN_IF_ERROR(ExpectRange("num_axes", num_axes, -1, c.rank() - out.begin));
  out.end = num_axes == -1 ? c.rank() : out.begin + num_axes;
  return out;
}

// The second bottom lies at `axis` of the first one; a scalar anywhere.
Result<ir::ValueId> GivenFactors(LayerContext& c, int axis) {
  int begin = 0;
  if (c.rank(1) > 0) MICRORT_RETURN_IF_ERROR(Take(c.Axis(axis, c.rank()), &begin));
  if (begin + c.rank(1) > c.rank())
    return Invalid("{} axes of the second bottom, from axis {} of {}", c.rank(1), begin, c.rank());
  std::vector<int32_t> shape = ir::CopiedDims(c.rank(1));
  shape.resize(static_cast<size_t>(c.rank() - begin), 1);
  return c.rank(1) == 0 ? c.bottom(1) : c.build.Reshape(c.bottom(1), shape);
}

// y = x * factor + shift, for each channel.
struct ChannelScale {
  std::vector<float> factors, shifts;

  // This scale, followed by `after`, as one.
  ChannelScale Then(const ChannelScale& after) const {
    ChannelScale both = *this;
    for (size_t i = 0; i < after.factors.size(); ++i) {
      both.factors[i] *= after.factors[i];
      both.shifts[i] = both.shifts[i] * after.factors[i] + after.shifts[i];
    }
    return both;
  }
};

// From the blobs `first`, and after it.
Result<ChannelScale> ReadScale(const LayerContext& c, size_t first, int64_t channels) {
  ChannelScale scale;
  MICRORT_ASSIGN_OR_RETURN(scale.factors, c.WeightValues(first, {channels}));
  MICRORT_ASSIGN_OR_RETURN(scale.shifts, c.WeightValues(first + 1, {channels}));
  return scale;
}

// What the data that the network was trained with made of y, whose channels had a mean of 0 and a deviation
// of 1 before these factors and shifts.
void RecordTrained(LayerContext& c, ir::ValueId y, const ChannelScale& scale) {
  const auto& nodes = c.build.graph().nodes;
  if (nodes.empty() || nodes.back()->outputs[0] != y) return;  // after an error
  ir::TrainedOutput& trained = nodes.back()->trained;
  trained.means = scale.shifts;
  trained.deviations.clear();
  for (const float v : scale.factors) trained.deviations.push_back(std::fabs(v));
}

// A layer of factors and shifts for channels, right after BatchNorm.
void RecordTrainedScale(LayerContext& c, bool normalized, ir::ValueId y) {
  const auto& p = c.layer.scale_param();
  if (!normalized || c.rank() < 2 || p.num_axes() != 1 || p.axis() != 1) return;
  ChannelScale scale = {{}, std::vector<float>(static_cast<size_t>(c.dim(1)), 0.0f)};
  if (!Take(c.WeightValues(0, {c.dim(1)}), &scale.factors).ok()) return;
  if (p.bias_term() && !Take(c.WeightValues(1, {c.dim(1)}), &scale.shifts).ok()) return;
  RecordTrained(c, y, scale);
}

Status ImportScale(LayerContext& c) {
  const auto& before = c.build.graph().nodes;
  const bool normalized = c.bottom_count() == 1 && !before.empty() &&
                          before.back()->source_op == "BatchNorm" && before.back()->outputs[0] == c.bottom();
  const auto& p = c.layer.scale_param();
  ir::ValueId factors = ir::kNoValue;
  std::vector<int64_t> shape;
  size_t blob = 0;
  if (c.bottom_count() == 2) {
    MICRORT_ASSIGN_OR_RETURN(factors, GivenFactors(c, p.axis()));
    for (const int64_t dim : c.value(factors).shape) shape.push_back(dim);
  } else {
    MICRORT_ASSIGN_OR_RETURN(AxisRange axes, LearnedAxes(c, p.axis(), p.num_axes()));
    MICRORT_ASSIGN_OR_RETURN(shape, LearnedShape(c, axes));
    MICRORT_ASSIGN_OR_RETURN(factors, c.Weights(blob++, shape));
  }
  ir::ValueId y = c.build.Mul(c.bottom(), factors);
  if (p.bias_term()) {
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId bias, c.Weights(blob, shape));
    y = c.build.Add(y, bias);
  }
  RecordTrainedScale(c, normalized, y);
  return c.Return(y);
}

Status ImportBias(LayerContext& c) {
  const auto& p = c.layer.bias_param();
  ir::ValueId bias = ir::kNoValue;
  if (c.bottom_count() == 2) {
    MICRORT_ASSIGN_OR_RETURN(bias, GivenFactors(c, p.axis()));
  } else {
    MICRORT_ASSIGN_OR_RETURN(const AxisRange axes, LearnedAxes(c, p.axis(), p.num_axes()));
    MICRORT_ASSIGN_OR_RETURN(const std::vector<int64_t> shape, LearnedShape(c, axes));
    MICRORT_ASSIGN_OR_RETURN(bias, c.Weights(0, shape));
  }
  return c.Return(c.build.Add(c.bottom(), bias));
}

// Channels are dimension 1; a vector has one.
Result<int64_t> ChannelsOf(const LayerContext& c) {
  if (c.rank() < 2) return 1;
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 1, 2));
  return c.dim(1);
}

// x * factor + shift for every channel.
ir::ValueId ScaleChannels(LayerContext& c, ir::ValueId x, const ChannelScale& scale) {
  std::vector<int64_t> shape(c.rank() < 2 ? 1 : static_cast<size_t>(c.rank() - 1), 1);
  shape[0] = static_cast<int64_t>(scale.factors.size());
  const ir::ValueId y = c.build.Mul(x, c.build.Constant(shape, scale.factors));
  return c.build.Add(y, c.build.Constant(shape, scale.shifts));
}

// (x - mean) / sqrt(variance + eps), of means and variances that are to be multiplied by `scale`.
Result<ChannelScale> NormalizingScale(const std::vector<float>& means, const std::vector<float>& variances,
                                      double scale, double eps) {
  ChannelScale result;
  for (size_t i = 0; i < means.size(); ++i) {
    const double deviation = std::sqrt(variances[i] * scale + eps);
    if (!(deviation > 0)) return Invalid("channel {} has a variance of {}", i, variances[i] * scale);
    result.factors.push_back(static_cast<float>(1 / deviation));
    result.shifts.push_back(static_cast<float>(-means[i] * scale / deviation));
  }
  return result;
}

// NVIDIA's BatchNorm has factors and shifts of its own, behind the statistics.
constexpr size_t kStatistics = 3;

bool HasOwnScale(const LayerContext& c) {
  const auto& p = c.layer.batch_norm_param();
  return p.has_scale_bias() ? p.scale_bias() : c.blob_count() == kStatistics + 2;
}

// By the statistics of the batch at hand.
Status NormalizeBatch(LayerContext& c) {
  c.IgnoreWeights(kStatistics);
  if (c.rank() < 1) return Invalid("expected a bottom with dimensions");
  std::vector<int32_t> axes = {0};
  for (int i = 2; i < c.rank(); ++i) axes.push_back(i);
  const ir::ValueId mean = c.build.Reduce(schema::ReduceKind::Mean, c.bottom(), axes, true);
  const ir::ValueId centered = c.build.Sub(c.bottom(), mean);
  const ir::ValueId squares = c.build.Mul(centered, centered);
  const ir::ValueId variance = c.build.Reduce(schema::ReduceKind::Mean, squares, axes, true);
  const ir::ValueId added = c.build.Add(variance, c.build.Scalar(c.layer.batch_norm_param().eps()));
  const ir::ValueId y = c.build.Div(centered, c.build.Sqrt(added));
  if (!HasOwnScale(c)) return c.Return(y);
  MICRORT_ASSIGN_OR_RETURN(const int64_t channels, ChannelsOf(c));
  MICRORT_ASSIGN_OR_RETURN(const ChannelScale own, ReadScale(c, kStatistics, channels));
  return c.Return(ScaleChannels(c, y, own));
}

// Blobs hold sums of means and variances, and by how much they count.
Status ImportBatchNorm(LayerContext& c) {
  const auto& p = c.layer.batch_norm_param();
  if (p.has_use_global_stats() && !p.use_global_stats()) return NormalizeBatch(c);
  MICRORT_ASSIGN_OR_RETURN(const int64_t channels, ChannelsOf(c));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<float> means, c.WeightValues(0, {channels}));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<float> variances, c.WeightValues(1, {channels}));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<float> count, c.WeightValues(2, {1}));
  const double by = count[0] == 0 ? 0 : 1 / double{count[0]};
  MICRORT_ASSIGN_OR_RETURN(ChannelScale scale, NormalizingScale(means, variances, by, p.eps()));
  ChannelScale own = {std::vector<float>(means.size(), 1.0f), std::vector<float>(means.size(), 0.0f)};
  if (HasOwnScale(c)) {
    MICRORT_ASSIGN_OR_RETURN(own, ReadScale(c, kStatistics, channels));
    scale = scale.Then(own);
  }
  const ir::ValueId y = ScaleChannels(c, c.bottom(), scale);
  RecordTrained(c, y, own);
  return c.Return(y);
}

// A layer of forks: factors and shifts, with the statistics worked into them or after them.
Status ImportBN(LayerContext& c) {
  const auto& p = c.layer.bn_param();
  MICRORT_ASSIGN_OR_RETURN(const int64_t channels, ChannelsOf(c));
  MICRORT_ASSIGN_OR_RETURN(const ChannelScale own, ReadScale(c, 0, channels));
  if (c.blob_count() == 2 && p.bn_mode() == ::caffe::BNParameter::INFERENCE)
    return c.Return(ScaleChannels(c, c.bottom(), own));
  if (c.blob_count() != 4)
    return Unsupported("{} blobs: expected 4, with statistics, or 2 with bn_mode INFERENCE", c.blob_count());
  MICRORT_ASSIGN_OR_RETURN(const std::vector<float> means, c.WeightValues(2, {channels}));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<float> variances, c.WeightValues(3, {channels}));
  MICRORT_ASSIGN_OR_RETURN(const ChannelScale scale, NormalizingScale(means, variances, 1, p.eps()));
  const ir::ValueId y = ScaleChannels(c, c.bottom(), scale.Then(own));
  RecordTrained(c, y, own);
  return c.Return(y);
}

}  // namespace

const ImporterList ScalingLayers = {
    {"BN", 1, 1, ImportBN, "statistics of the batch"},
    {"BatchNorm", 1, 1, ImportBatchNorm},
    {"Bias", 1, 2, ImportBias},
    {"Scale", 1, 2, ImportScale},
};

}  // namespace micrort::frontend::caffe
