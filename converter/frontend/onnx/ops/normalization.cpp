// Normalizations, expressed by means and element-wise operators, and Softmax and its relatives.
// Normalizations whose statistics are constant fold to one Mul and one Add.

#include <limits>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/normalize.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/lower/positions.h"

namespace micrort::frontend::onnx {

namespace {

using schema::ReduceKind;

// One number a channel, [C] → [C,1,1...], for x of the given rank with channels in dimension 1.
ir::ValueId PerChannel(NodeContext& c, ir::ValueId v, int rank) {
  if (rank <= 2) return v;
  std::vector<int32_t> shape(static_cast<size_t>(rank - 1), 1);
  shape[0] = CopyDim(0);
  return c.build.Reshape(v, shape);
}

// x * scale + shift with one scale and one shift a channel.
ir::ValueId AffinePerChannel(NodeContext& c, ir::ValueId x, ir::ValueId scale, ir::ValueId shift, int rank) {
  const ir::ValueId scales = PerChannel(c, scale, rank);
  const ir::ValueId shifts = PerChannel(c, shift, rank);
  return Affine(c, x, scales, shifts);
}

Status ImportInstanceNormalization(NodeContext& c) {
  const float epsilon = c.Float("epsilon", 1e-5f);
  const int rank = c.x().rank();
  if (rank < 3 || c.x(1).rank() != 1 || c.x(2).rank() != 1)
    return Invalid("expected an input of 3 or more dimensions, one scale and bias a channel");
  const Normalized n = Normalize(c, c.input(0), ir::AxesFrom(2, rank), epsilon);
  return c.Return(AffinePerChannel(c, n.y, c.input(1), c.input(2), rank));
}

// Scale and bias: one a group up to opset 20, one a channel later.
Status ImportGroupNormalization(NodeContext& c) {
  c.Ignore({"stash_type"});
  const float epsilon = c.Float("epsilon", 1e-5f);
  const int rank = c.x().rank();
  MICRORT_ASSIGN_OR_RETURN(const int32_t groups, ToInt32(c.Int("num_groups", 0), "num_groups"));
  if (groups < 1 || rank < 3 || c.x(1).rank() != 1 || c.x(2).rank() != 1)
    return Invalid("expected num_groups, an input of 3 or more dimensions, a scale and a bias");
  const ir::ValueId grouped = c.build.Reshape(c.input(0), {CopyDim(0), groups, kInferDim});
  ir::ValueId y = Normalize(c, grouped, {2}, epsilon).y;
  if (c.opset() < 21) y = AffinePerChannel(c, y, c.input(1), c.input(2), 3);
  y = ReshapeLike(c, y, c.input(0));
  if (c.opset() >= 21) y = AffinePerChannel(c, y, c.input(1), c.input(2), rank);
  return c.Return(y);
}

// Before opset 9 (an experiment): over the image alone or all of a sample, and the variance may be left as it
// is.
Status ImportMeanVarianceNormalizationV1(NodeContext& c) {
  const int first = c.Int("across_channels", 0) != 0 ? 1 : 2;
  const bool variance = c.Int("normalize_variance", 1) != 0;
  const std::vector<int32_t> axes = ir::AxesFrom(first, c.x().rank());
  if (variance) return c.Return(Normalize(c, c.input(0), axes, 1e-9f).y);
  const ir::ValueId mean = c.build.Reduce(ReduceKind::Mean, c.input(0), axes, true);
  return c.Return(c.build.Sub(c.input(0), mean));
}

Status ImportMeanVarianceNormalization(NodeContext& c) {
  if (c.opset() < 9) return ImportMeanVarianceNormalizationV1(c);
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, c.Axes(c.Ints("axes", {0, 2, 3}), c.x().rank()));
  return c.Return(Normalize(c, c.input(0), axes, 1e-9f).y);
}

Status ImportLpNormalization(NodeContext& c) {
  const int64_t p = c.Int("p", 2);
  if (p != 1 && p != 2) return Invalid("p = {}", p);
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", -1), c.x().rank()));
  const ir::ValueId norm = c.build.Reduce(p == 1 ? ReduceKind::L1 : ReduceKind::L2, c.input(0), {axis}, true);
  // Zeros stay zeros.
  const ir::ValueId divisor = c.build.Max(norm, c.build.Scalar(std::numeric_limits<float>::min()));
  return c.Return(c.build.Div(c.input(0), divisor));
}

// x / (bias + alpha / size * sum over `size` channels of x^2) ^ beta. The sum is an average pool over
// channels: they become the height of an image that is 1 wide.
Status ImportLrn(NodeContext& c) {
  const float alpha = c.Float("alpha", 1e-4f);
  const float beta = c.Float("beta", 0.75f);
  const float bias = c.Float("bias", 1.0f);
  const int64_t size = c.Int("size", 0);
  if (size < 1 || size > 1 << 20 || c.x().rank() < 3)
    return Invalid("expected a size > 0 and an input of 3 or more dimensions");
  schema::Pool2DOptionsT pool;
  pool.kind = schema::PoolKind::Average;
  pool.kernel_h = static_cast<int32_t>(size);
  pool.pad_top = static_cast<int32_t>((size - 1) / 2);
  pool.pad_bottom = static_cast<int32_t>(size - 1) - pool.pad_top;
  pool.count_include_pad = true;
  const ir::ValueId x = c.input(0);
  const ir::ValueId image = c.build.Reshape(x, {CopyDim(0), CopyDim(1), 1, kInferDim});
  const ir::ValueId squares = c.build.Mul(image, image);
  const ir::ValueId mean = ReshapeLike(c, c.build.Add(std::move(pool), {squares}), x);
  const DType dtype = c.x().dtype;
  const ir::ValueId scale = c.Scalar(dtype, alpha);
  const ir::ValueId base = Affine(c, mean, scale, c.Scalar(dtype, bias));
  const ir::ValueId divisor = c.build.Pow(base, c.Scalar(dtype, beta));
  return c.Return(c.build.Div(x, divisor));
}

constexpr int kPerAxisOpset = 13;  // before it, everything from `axis` on is one dimension

// Applies `apply(value, axis)` along the node's axis, as its opset means it.
template <typename F>
Status AlongAxis(NodeContext& c, F apply) {
  const int rank = c.x().rank();
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", c.opset() < kPerAxisOpset ? 1 : -1), rank));
  if (c.opset() >= kPerAxisOpset || axis == rank - 1) return c.Return(apply(c.input(0), axis));
  const ir::ValueId matrix = FlattenAt(c, c.input(0), axis);
  return c.Return(ReshapeLike(c, apply(matrix, 1), c.input(0)));
}

template <bool log>
Status ImportSoftmax(NodeContext& c) {
  return AlongAxis(c, [&](ir::ValueId x, int axis) { return c.build.Softmax(x, axis, log); });
}

// 1 at the first maximum, 0 elsewhere.
Status ImportHardmax(NodeContext& c) {
  return AlongAxis(c, [&](ir::ValueId x, int axis) {
    if (axis >= c.value(x).rank()) return x;                       // after an error
    if (c.value(x).dim(static_cast<size_t>(axis)) == 0) return x;  // no element, and none to choose
    const ir::ValueId positions = lower::PositionsIn(c.build, x, axis);
    const ir::ValueId at = c.build.Reduce(schema::ReduceKind::ArgMax, x, {axis}, true);
    const ir::ValueId hit = c.build.Equal(at, positions);
    return c.build.Cast(hit, c.x().dtype);
  });
}

}  // namespace

ir::ValueId Deviation(NodeContext& c, ir::ValueId variance, float epsilon) {
  const ir::ValueId added = c.Scalar(c.value(variance).dtype, epsilon);
  return c.build.Sqrt(c.build.Add(variance, added));
}

Normalized Normalize(NodeContext& c, ir::ValueId x, const std::vector<int32_t>& axes, float epsilon) {
  const ir::ValueId mean = c.build.Reduce(ReduceKind::Mean, x, axes, true);
  Normalized n = NormalizeByMeanSquare(c, c.build.Sub(x, mean), axes, epsilon);
  n.mean = mean;
  return n;
}

Normalized NormalizeByMeanSquare(NodeContext& c, ir::ValueId x, const std::vector<int32_t>& axes,
                                 float epsilon) {
  Normalized n;
  const ir::ValueId squares = c.build.Mul(x, x);
  n.deviation = Deviation(c, c.build.Reduce(ReduceKind::Mean, squares, axes, true), epsilon);
  n.y = c.build.Div(x, n.deviation);
  return n;
}

ir::ValueId Affine(NodeContext& c, ir::ValueId x, ir::ValueId scale, ir::ValueId shift) {
  if (scale != ir::kNoValue) x = c.build.Mul(x, scale);
  return shift == ir::kNoValue ? x : c.build.Add(x, shift);
}

const ImporterList NormalizationImporters = {
    {"GroupNormalization", 3, 3, InFloat32<ImportGroupNormalization>, Types(kFloats).Since(18)},
    {"InstanceNormalization", 3, 3, InFloat32<ImportInstanceNormalization>, Types(kFloats)},
    {"LRN", 1, 1, InFloat32<ImportLrn>, Types(kFloats)},
    {"LpNormalization", 1, 1, InFloat32<ImportLpNormalization>, Types(kFloats)},
    {"MeanVarianceNormalization", 1, 1, InFloat32<ImportMeanVarianceNormalization>, Types(kFloats)},
    {"Hardmax", 1, 1, ImportHardmax, Types(kFloats)},
    {"LogSoftmax", 1, 1, InFloat32<ImportSoftmax<true>>, Types(kFloats)},
    {"Softmax", 1, 1, InFloat32<ImportSoftmax<false>>, Types(kFloats)},
};

}  // namespace micrort::frontend::onnx
