// Elements written to positions.

#include <algorithm>
#include <cmath>
#include <limits>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/ops/scattered.h"
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
  if (alpha != 1) source = c.build.Mul(source, c.Scalar(c.dtype(x), alpha));
  const ir::ValueId index = c.IndicesAt(2);
  c.Return(WithSlices(c, x, c.Axis(1, c.rank(x), 0), index, source, adds));
}

// (self, dim, index, value)
void ImportIndexFill(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), index = c.IndicesAt(2);
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

struct Reduction {
  const char *name, *onnx;
  double first;  // what leaves others as they are
};

const Reduction* FindReduction(const std::string& name) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr Reduction kReductions[] = {{"sum", "add", 0},
                                              {"mean", "add", 0},
                                              {"prod", "mul", 1},
                                              {"amax", "max", -kInfinity},
                                              {"amin", "min", kInfinity}};
  const auto* found = std::find_if(std::begin(kReductions), std::end(kReductions),
                                   [&](const Reduction& reduction) { return name == reduction.name; });
  return found == std::end(kReductions) ? nullptr : found;
}

// (self, dim, index, src, reduce, include_self)
void ImportScatterReduce(OpContext& c) {
  const std::string name = c.String(4, "sum");
  const Reduction* const reduction = FindReduction(name);
  if (reduction == nullptr) return c.Fail(Unsupported("reduce '{}'", name));
  const ir::ValueId self = c.TensorAt(0), index = c.IndicesAt(2);
  const DType dtype = c.dtype(self);
  const bool is_mean = name == "mean", with_self = c.Bool(5, true);
  if (!IsFloat(dtype) && (is_mean || (!with_self && std::isinf(reduction->first))))
    return c.Fail(Unsupported("reduce '{}' of integers", name));
  const auto scattered = [&](ir::ValueId to, ir::ValueId what, const char* how) {
    return c.Onnx("ScatterElements", {to, index, what},
                  {{"axis", int64_t{c.Axis(1, c.rank(self), 0)}}, {"reduction", std::string(how)}});
  };
  const auto everywhere = [&](double v, ir::ValueId like) {
    return c.Onnx("Expand", {c.Scalar(dtype, v), c.build.ShapeOf(like)});
  };
  const auto start = [&](ir::ValueId x, double first) {
    return with_self ? x : scattered(x, everywhere(first, index), "none");
  };
  const ir::ValueId source = PartFor(c, index, c.CastTo(c.TensorAt(3), dtype));
  const ir::ValueId y = scattered(start(self, reduction->first), source, reduction->onnx);
  if (!is_mean) return c.Return(y);
  const ir::ValueId counts = scattered(start(everywhere(1, self), 0), everywhere(1, index), "add");
  c.Return(c.build.Div(y, counts));
}

// (self, indices, output_size): elements back to where a pooling took them from, plane by plane
void ImportMaxUnpool2d(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), index = c.IndicesAt(1);
  const std::vector<int64_t> size = c.IntsFor(2, 2, 1);
  const int rank = c.rank(x);
  if (rank < 3) return c.Fail(Invalid("a tensor of {} dimensions", rank));
  std::vector<int32_t> planes = ir::CopiedDims(rank - 2), back = planes;
  std::vector<int64_t> zeros;
  for (int i = 0; i < rank - 2; ++i) zeros.push_back(c.FixedDim(x, i));
  planes.push_back(ir::kInferDim);
  for (const int64_t side : size) {
    back.push_back(0);
    if (const Status s = Take(ToInt32(side, "a side"), &back.back()); !s.ok()) return c.Fail(s);
  }
  zeros.push_back(size[0] * size[1]);
  const ir::ValueId empty = c.Filled(c.dtype(x), Value::Ints(zeros), 0);
  const ir::ValueId y =
      c.Onnx("ScatterElements", {empty, c.build.Reshape(index, planes), c.build.Reshape(x, planes)},
             {{"axis", int64_t{rank - 2}}});
  c.Return(c.build.Reshape(y, back));
}

}  // namespace

ir::ValueId PartFor(OpContext& c, ir::ValueId index, ir::ValueId source) {
  for (int i = 0; i < c.rank(index) && c.rank(source) == c.rank(index); ++i) {
    const int64_t size = c.dim(index, i);
    if (size != ir::kDynamic && c.dim(source, i) > size) source = c.build.Slice(source, i, 0, size);
  }
  return source;
}

ir::ValueId InRowWhere(OpContext& c, ir::ValueId x, ir::ValueId mask, ir::ValueId source) {
  const ir::ValueId shape = c.build.ShapeOf(x);
  const ir::ValueId wide = c.Onnx("Expand", {c.CastTo(mask, DType::kBool), shape});
  const ir::ValueId counted = c.build.Reshape(c.CastTo(wide, DType::kInt64), {ir::kInferDim});
  const ir::ValueId one = c.build.Integer(1), zero = c.build.Integer(0);
  // How many were chosen before; where none was, the first one is read and not used.
  const ir::ValueId before = c.build.Sub(c.Onnx("CumSum", {counted, zero}), one);
  const ir::ValueId row =
      c.build.Gather(c.build.Reshape(source, {ir::kInferDim}), c.build.Max(before, zero), 0);
  return c.build.Select({wide, c.ReshapeTo(row, shape), x});
}

const ImporterList ScatterOps = {
    {"index_add", "self dim index source alpha", ImportIndexSlices<true>},
    {"index_copy", "self dim index source", ImportIndexSlices<false>},
    {"index_fill", "self dim index value", ImportIndexFill},
    {"masked_scatter", "self mask source", ImportMaskedScatter},
    {"max_unpool2d", "self indices output_size", ImportMaxUnpool2d},
    {"scatter_reduce", "self dim index src reduce include_self", ImportScatterReduce,
     "means of integers; largest and smallest integers with include_self=False"},
};

}  // namespace micrort::frontend::torchscript
