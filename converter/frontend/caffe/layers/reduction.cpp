// Layers that look at whole axes.

#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

using schema::ReduceKind;

Status ImportSoftmaxLayer(LayerContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.layer.softmax_param().axis(), c.rank()));
  return c.Return(c.build.Softmax(c.bottom(), axis));
}

// All axes from one on.
Status ImportReduction(LayerContext& c) {
  const auto& p = c.layer.reduction_param();
  MICRORT_ASSIGN_OR_RETURN(const int first, c.Axis(p.axis(), c.rank()));
  std::vector<int32_t> axes;
  for (int i = first; i < c.rank(); ++i) axes.push_back(i);
  ReduceKind kind = ReduceKind::Sum;
  if (p.operation() == ::caffe::ReductionParameter::ASUM) kind = ReduceKind::L1;
  if (p.operation() == ::caffe::ReductionParameter::SUMSQ) kind = ReduceKind::SumSquare;
  if (p.operation() == ::caffe::ReductionParameter::MEAN) kind = ReduceKind::Mean;
  const ir::ValueId y = c.build.Reduce(kind, c.bottom(), axes, false);
  return c.Return(p.coeff() == 1 ? y : c.build.Mul(y, c.build.Scalar(p.coeff())));
}

// The largest elements along the axis and where they are, as floats. Of equal elements Caffe takes the last
// one.
void LargestAlong(LayerContext& c, ir::ValueId x, int axis, int64_t count, ir::ValueId* values,
                  ir::ValueId* positions) {
  const int64_t size = c.value(x).dim(static_cast<size_t>(axis));
  const ir::ValueId reversed = c.build.Reversed(x, {axis});
  const std::vector<ir::ValueId> largest = c.build.TopK(reversed, c.build.Integers({count}), axis);
  *values = largest[0];
  const ir::ValueId from_end = c.build.Cast(largest[1], DType::kFloat32);
  *positions = c.build.Sub(c.build.Scalar(static_cast<float>(size - 1)), from_end);
}

// Along an axis; or over whole items, which gives [N,1,top_k], or [N,2,top_k] with the values after the
// positions.
Status ImportArgMax(LayerContext& c) {
  const auto& p = c.layer.argmax_param();
  int axis = 1;
  if (c.rank() < 1) return Invalid("expected a bottom with dimensions");
  if (p.has_axis()) MICRORT_RETURN_IF_ERROR(Take(c.Axis(p.axis(), c.rank()), &axis));
  MICRORT_RETURN_IF_ERROR(p.has_axis() ? c.ExpectFixed(0, axis, axis + 1) : c.ExpectFixed(0, 1, c.rank()));
  const ir::ValueId x = p.has_axis() ? c.bottom() : c.build.Reshape(c.bottom(), {CopyDim(0), kInferDim});
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_RETURN_IF_ERROR(ExpectRange("top_k", p.top_k(), 1, c.value(x).dim(static_cast<size_t>(axis))));
  ir::ValueId values = ir::kNoValue, positions = ir::kNoValue;
  LargestAlong(c, x, axis, p.top_k(), &values, &positions);
  if (p.has_axis()) return c.Return(p.out_max_val() ? values : positions);
  const int rank = std::max(c.rank(), 3);
  std::vector<int32_t> shape(static_cast<size_t>(rank), 1);
  shape[0] = CopyDim(0);
  shape[2] = static_cast<int32_t>(p.top_k());
  const ir::ValueId found = c.build.Reshape(positions, shape);
  return c.Return(p.out_max_val() ? c.build.Concat({found, c.build.Reshape(values, shape)}, 1) : found);
}

}  // namespace

const ImporterList ReductionLayers = {
    {"ArgMax", 1, 1, ImportArgMax},
    {"Reduction", 1, 1, ImportReduction},
    {"Softmax", 1, 1, ImportSoftmaxLayer},
};

}  // namespace micrort::frontend::caffe
