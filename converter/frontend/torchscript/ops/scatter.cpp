// Elements written to positions.

#include <algorithm>

#include "converter/frontend/torchscript/ops/masked_values.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

std::vector<int32_t> Swapped(int rank, int axis) {
  std::vector<int32_t> order;
  for (int i = 0; i < rank; ++i) order.push_back(i == 0 ? axis : i == axis ? 0 : i);
  return order;
}

ir::ValueId WithAxisFirst(OpContext& c, ir::ValueId x, int axis) {
  return axis == 0 ? x : c.build.Transpose(x, Swapped(c.rank(x), axis));
}

// Slices of x along the axis at these positions become (are added to) those of the source.
ir::ValueId WithSlices(OpContext& c, ir::ValueId x, int axis, ir::ValueId index, ir::ValueId source,
                       bool adds) {
  const ir::ValueId positions = c.build.Reshape(c.CastTo(index, DType::kInt64), {ir::kInferDim, 1});
  std::vector<Attribute> attributes;
  if (adds) attributes.push_back({"reduction", std::string("add")});
  const ir::ValueId y =
      c.Onnx("ScatterND", {WithAxisFirst(c, x, axis), positions, WithAxisFirst(c, source, axis)}, attributes);
  return WithAxisFirst(c, y, axis);
}

// (self, dim, index, source, alpha)
template <bool adds>
void ImportIndexSlices(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  ir::ValueId source = c.CastTo(c.TensorAt(3), c.dtype(x));
  const double alpha = adds ? c.Float(4, 1) : 1;
  if (alpha != 1) source = c.Onnx("Mul", {source, c.Scalar(c.dtype(x), alpha)});
  const ir::ValueId index = c.IndicesAt(2);
  if (c.rank(x) == 0) return c.Fail(MICRORT_ERROR(kUnsupported, "a tensor without dimensions"));
  c.Return(WithSlices(c, x, c.Axis(1, c.rank(x), 0), index, source, adds));
}

// (self, dim, index, value)
void ImportIndexFill(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), index = c.IndicesAt(2);
  if (c.rank(x) == 0) return c.Fail(MICRORT_ERROR(kUnsupported, "a tensor without dimensions"));
  const int axis = c.Axis(1, c.rank(x), 0);
  const ir::ValueId flat = c.build.Reshape(c.CastTo(index, DType::kInt64), {ir::kInferDim});
  const ir::ValueId shape = c.build.ShapeOf(c.build.Gather(x, flat, axis));
  const ir::ValueId source = c.Onnx("Expand", {c.CastTo(c.TensorAt(3), c.dtype(x)), shape});
  c.Return(WithSlices(c, x, axis, flat, source, false));
}

// (self, mask, source): elements of the source in a row, where the mask says so
void ImportMaskedScatter(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(InRowWhere(c, x, c.TensorAt(1), c.CastTo(c.TensorAt(2), c.dtype(x))));
}

// (self, dim, index, src, reduce, include_self)
void ImportScatterReduce(OpContext& c) {
  static const std::pair<const char*, const char*> kReductions[] = {
      {"sum", "add"}, {"prod", "mul"}, {"amax", "max"}, {"amin", "min"}};
  const ir::ValueId x = c.TensorAt(0);
  const std::string reduce = c.String(4, "sum");
  const auto* found = std::find_if(std::begin(kReductions), std::end(kReductions),
                                   [&](const auto& pair) { return reduce == pair.first; });
  if (found == std::end(kReductions) || !c.Bool(5, true))
    return c.Fail(MICRORT_ERROR(kUnsupported, "reduce '%s'%s", reduce.c_str(),
                                c.Bool(5, true) ? "" : " without the elements that are there"));
  c.Return(c.Onnx("ScatterElements", {x, c.IndicesAt(2), c.CastTo(c.TensorAt(3), c.dtype(x))},
                  {{"axis", int64_t{c.Axis(1, c.rank(x), 0)}}, {"reduction", std::string(found->second)}}));
}

// (self, indices, output_size): elements back to where a pooling took them from, plane by plane
void ImportMaxUnpool2d(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), index = c.IndicesAt(1);
  const std::vector<int64_t> size = c.IntsFor(2, 2, 1);
  const int rank = c.rank(x);
  if (rank < 3) return c.Fail(MICRORT_ERROR(kInvalidModel, "a tensor of %d dimensions", rank));
  std::vector<int32_t> planes, back;
  std::vector<int64_t> zeros;
  for (int i = 0; i < rank - 2; ++i) {
    planes.push_back(ir::CopyDim(i));
    back.push_back(ir::CopyDim(i));
    zeros.push_back(c.FixedDim(x, i));
  }
  planes.push_back(ir::kInferDim);
  for (const int64_t side : size) back.push_back(static_cast<int32_t>(side));
  zeros.push_back(size[0] * size[1]);
  const ir::ValueId empty = c.Filled(c.dtype(x), Value::Ints(zeros), 0);
  const ir::ValueId y =
      c.Onnx("ScatterElements", {empty, c.build.Reshape(index, planes), c.build.Reshape(x, planes)},
             {{"axis", int64_t{rank - 2}}});
  c.Return(c.build.Reshape(y, back));
}

}  // namespace

Span<const OpImporter> ScatterOps() {
  static constexpr OpImporter kOps[] = {
      {"index_add", "self dim index source alpha", ImportIndexSlices<true>},
      {"index_copy", "self dim index source", ImportIndexSlices<false>},
      {"index_fill", "self dim index value", ImportIndexFill},
      {"masked_scatter", "self mask source", ImportMaskedScatter},
      {"max_unpool2d", "self indices output_size", ImportMaxUnpool2d},
      {"scatter_reduce", "self dim index src reduce include_self", ImportScatterReduce,
       "mean; include_self=False"},
  };
  return kOps;
}

}  // namespace micrort::frontend::torchscript
