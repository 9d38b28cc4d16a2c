// What follows from the order of elements.

#include <cmath>
#include <limits>

#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/torchscript/numbers.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"
#include "converter/lower/positions.h"

namespace micrort::frontend::torchscript {

namespace {

using Ids = std::vector<ir::ValueId>;
using schema::ReduceKind;

// Elements in rising order along the axis, and where they come from.
Ids Rising(OpContext& c, ir::ValueId x, int axis) {
  return c.OnnxMany("TopK", {x, c.Integers({c.FixedDim(x, axis)})},
                    {{"axis", int64_t{axis}}, {"largest", int64_t{0}}}, 2);
}

// The k-th in rising order, from 1 on, and where it comes from.
void ReturnKth(OpContext& c, ir::ValueId x, int axis, int64_t k, bool keep) {
  const int64_t size = c.FixedDim(x, axis);
  if (k < 1 || k > size) return c.Fail(Invalid("element {} of {}", k, size));
  Ids y = Rising(c, x, axis);
  for (ir::ValueId& id : y) {
    id = c.build.Slice(id, axis, k - 1, k);
    if (!keep) id = c.Onnx("Squeeze", {id, c.Integers({axis})});
  }
  c.ReturnTuple(y);
}

// (self), (self, dim, keepdim): of two in the middle the lower one
void ImportMedian(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const bool is_of_all = !c.Has(1);
  if (is_of_all) x = c.build.Reshape(x, {ir::kInferDim});
  const int axis = is_of_all ? 0 : c.Axis(1, c.rank(x), 0);
  ReturnKth(c, x, axis, (c.FixedDim(x, axis) + 1) / 2, c.Bool(2, false));
  if (is_of_all && c.status().ok()) c.ReturnValue((*c.result().items)[0]);
}

// (self, k, dim, keepdim)
void ImportKthValue(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  ReturnKth(c, x, c.Axis(2, c.rank(x), -1), c.Int(1, 1), c.Bool(3, false));
}

// The place in order that is read for this one, which may lie between two.
double PlaceOf(OpContext& c, double at) {
  const std::string between = c.String(4, "linear");
  if (between == "linear") return at;
  if (between == "lower") return std::floor(at);
  if (between == "higher") return std::ceil(at);
  if (between == "nearest") return std::nearbyint(at);
  if (between == "midpoint") return (std::floor(at) + std::ceil(at)) / 2;
  c.Fail(Invalid("interpolation '{}'", between));
  return 0;
}

// (self, q, dim, keepdim, interpolation)
void ImportQuantile(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const double q = c.Float(1, 0.5);
  if (!(q >= 0 && q <= 1)) return c.Fail(Invalid("quantile {}", q));
  if (!c.Has(2)) x = c.build.Reshape(x, {ir::kInferDim});
  const int axis = c.Has(2) ? c.Axis(2, c.rank(x), 0) : 0;
  const double at = PlaceOf(c, q * static_cast<double>(c.FixedDim(x, axis) - 1));
  const auto below = static_cast<int64_t>(at);
  const ir::ValueId sorted = Rising(c, x, axis)[0];
  ir::ValueId y = c.build.Slice(sorted, axis, below, below + 1);
  const double part = at - static_cast<double>(below);
  if (part > 0) {
    const ir::ValueId step = c.build.Sub(c.build.Slice(sorted, axis, below + 1, below + 2), y);
    y = c.build.Add(y, c.build.Mul(step, c.Scalar(c.dtype(x), part)));
  }
  c.Return(c.Has(2) && c.Bool(3, false) ? y : c.Onnx("Squeeze", {y, c.Integers({axis})}));
}

// Elements `shift` positions later along the axis, and what comes before the first ones.
ir::ValueId Later(OpContext& c, ir::ValueId x, int axis, int64_t shift, ir::ValueId first) {
  const int rank = c.rank(x);
  std::vector<int64_t> pads(static_cast<size_t>(2 * rank), 0);
  pads[static_cast<size_t>(axis)] = shift;
  const ir::ValueId part = c.build.Slice(x, axis, 0, c.FixedDim(x, axis) - shift);
  return c.Onnx("Pad", {part, c.Integers(pads), first});
}

// The extremum so far, in steps that double; `first` is beyond all others.
ir::ValueId ExtremumSoFar(OpContext& c, ir::ValueId x, int axis, bool is_max, ir::ValueId first) {
  for (int64_t shift = 1; shift < c.FixedDim(x, axis); shift *= 2)
    x = c.Onnx(is_max ? "Max" : "Min", {x, Later(c, x, axis, shift, first)});
  return x;
}

// The number that no element of the type is below, or above.
ir::ValueId EndOf(OpContext& c, DType dtype, bool is_lowest) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (IsFloatType(dtype)) return c.Scalar(dtype, is_lowest ? -kInfinity : kInfinity);
  constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
  const bool is_unsigned = dtype == DType::kUInt8;
  const int bits = static_cast<int>(SizeOf(dtype)) * 8;
  if (is_lowest) return WholeScalar(c.build, dtype, is_unsigned ? 0 : kLowest >> (64 - bits));
  return WholeScalar(c.build, dtype, is_unsigned ? 255 : ~(kLowest >> (64 - bits)));
}

// (self, dim): the extrema so far, and where the last of them was
template <bool is_max>
void ImportExtremumSoFar(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(1, c.rank(x), 0);
  const DType dtype = c.dtype(x);
  if (dtype == DType::kBool) return c.Fail(Unsupported("elements of bool"));
  const ir::ValueId extremum = ExtremumSoFar(c, x, axis, is_max, EndOf(c, dtype, is_max));
  const ir::ValueId here = lower::PositionsIn(c.build, x, axis), none = c.build.Integer(-1);
  const ir::ValueId found =
      c.build.Select({c.Onnx(is_max ? "GreaterOrEqual" : "LessOrEqual", {x, extremum}), here, none});
  c.ReturnTuple({extremum, ExtremumSoFar(c, found, axis, true, none)});
}

// (self, dim)
void ImportLogCumSumExp(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(1, c.rank(x), 0);
  if (c.build.graph().value(x).dim(static_cast<size_t>(axis)) == ir::kDynamic)
    return c.Fail(Unsupported("a dimension whose size is not fixed"));
  c.Return(CumulativeLogSumExp(c.build, x, axis));
}

// How many of the sorted [..., n] are below each of x [..., m], or not above it: all but those that are not,
// as every number is below NaN.
ir::ValueId Positions(OpContext& c, ir::ValueId sorted, ir::ValueId x, bool counts_equal, bool is_narrow) {
  const ir::ValueId each = c.Onnx("Unsqueeze", {x, c.Integers({-1})});
  if (c.rank(sorted) > 1) sorted = c.Onnx("Unsqueeze", {sorted, c.Integers({-2})});
  const ir::ValueId above = c.Onnx(counts_equal ? "Greater" : "GreaterOrEqual", {sorted, each});
  const ir::ValueId count = c.CastTo(above, DType::kInt32);
  const DType dtype = is_narrow ? DType::kInt32 : DType::kInt64;
  const ir::ValueId behind =
      c.CastTo(c.build.Reduce(ReduceKind::Sum, count, {c.rank(count) - 1}, false), dtype);
  const ir::ValueId all =
      c.build.Reshape(c.build.SizesOf(sorted, -1, std::numeric_limits<int64_t>::max()), {});
  return c.build.Sub(c.CastTo(all, dtype), behind);
}

// (self, boundaries, out_int32, right)
void ImportBucketize(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  c.Return(Positions(c, x[1], x[0], c.Bool(3, false), c.Bool(2, false)));
}

// (sorted_sequence, self, out_int32, right, side)
void ImportSearchSorted(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  const bool right = c.Bool(3, false) || c.String(4, "left") == "right";
  c.Return(Positions(c, x[0], x[1], right, c.Bool(2, false)));
}

// (elements, test_elements, assume_unique, invert)
void ImportIsIn(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  const ir::ValueId each = c.Onnx("Unsqueeze", {x[0], c.Integers({-1})});
  const ir::ValueId equal = c.build.Equal(each, c.build.Reshape(x[1], {ir::kInferDim}));
  const ir::ValueId any =
      c.build.Reduce(ReduceKind::Sum, c.CastTo(equal, DType::kInt32), {c.rank(equal) - 1}, false);
  const ir::ValueId y = c.CastTo(any, DType::kBool);
  c.Return(c.Bool(3, false) ? c.build.Not(y) : y);
}

// What torch.unique returns is always three tensors, of which the code takes those it asked for.
// (self, sorted, return_inverse, return_counts)
void ImportUnique2(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const Ids y = c.OnnxMany("Unique", {x}, {{"sorted", int64_t{1}}}, 4);
  c.ReturnTuple({y[0], c.ReshapeTo(y[2], c.build.ShapeOf(x)), y[3]});
}

// (self, dim, sorted, return_inverse, return_counts)
void ImportUniqueDim(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int64_t axis = c.Axis(1, c.rank(x), 0);
  const Ids y = c.OnnxMany("Unique", {x}, {{"sorted", int64_t{1}}, {"axis", axis}}, 4);
  c.ReturnTuple({y[0], y[2], y[3]});
}

// Where slices of a tensor differ from those before them; the first one does. [N]
ir::ValueId StartsOfRuns(OpContext& c, ir::ValueId x, int axis) {
  const int64_t end = std::numeric_limits<int64_t>::max();
  const auto equal = [&](ir::ValueId a, ir::ValueId b) { return c.build.Equal(a, b); };
  const ir::ValueId one = c.build.Slice(x, axis, 0, 1);
  const ir::ValueId first = equal(one, one);  // true, if there is one
  const ir::ValueId differs =
      c.build.Not(equal(c.build.Slice(x, axis, 1, end), c.build.Slice(x, axis, 0, -1)));
  const ir::ValueId starts = c.build.Concat({first, differs}, axis);
  const std::vector<int32_t> others = ir::OtherAxes(c.rank(x), {axis});
  if (others.empty()) return starts;
  return c.CastTo(c.build.Reduce(schema::ReduceKind::Max, c.CastTo(starts, DType::kInt32), others, false),
                  DType::kBool);
}

// (self, return_inverse, return_counts, dim)
void ImportUniqueConsecutive(OpContext& c) {
  const ir::ValueId self = c.TensorAt(0);
  const bool has_dim = c.Has(3);
  const ir::ValueId x = has_dim ? self : c.build.Reshape(self, {ir::kInferDim});
  const int axis = has_dim ? c.Axis(3, c.rank(x), 0) : 0;
  const ir::ValueId starts = StartsOfRuns(c, x, axis);
  const ir::ValueId run = c.Onnx("CumSum", {c.CastTo(starts, DType::kInt64), c.build.Integer(0)});
  ir::ValueId inverse = c.build.Sub(run, c.build.Integer(1));
  if (!has_dim) inverse = c.ReshapeTo(inverse, c.build.ShapeOf(self));
  const ir::ValueId unique = c.Onnx("Compress", {x, starts}, {{"axis", int64_t{axis}}});
  if (c.Bool(2, false)) {
    const ir::ValueId first = c.build.Reshape(c.Onnx("NonZero", {starts}), {ir::kInferDim});
    const ir::ValueId size = c.build.SizesOf(x, axis, axis + 1);
    const int64_t end = std::numeric_limits<int64_t>::max();
    const ir::ValueId next = c.build.Concat({c.build.Slice(first, 0, 1, end), size}, 0);
    return c.ReturnTuple({unique, inverse, c.build.Sub(next, first)});
  }
  c.ReturnTuple({unique, inverse});
  std::vector<Value> results = *c.result().items;
  results.push_back(Value::Of(Kind::kUnreachable));
  c.ReturnValue(Value::Sequence(Kind::kTuple, std::move(results)));
}

}  // namespace

const ImporterList OrderOps = {
    {"_unique2", "self sorted return_inverse return_counts", ImportUnique2},
    {"bucketize", "self boundaries out_int32 right", ImportBucketize},
    {"cummax", "self dim", ImportExtremumSoFar<true>},
    {"cummin", "self dim", ImportExtremumSoFar<false>},
    {"isin", "elements test_elements assume_unique invert", ImportIsIn},
    {"kthvalue", "self k dim keepdim", ImportKthValue},
    {"logcumsumexp", "self dim", ImportLogCumSumExp, "a dimension whose size is not fixed"},
    {"median", "self dim keepdim", ImportMedian},
    {"quantile", "self q dim keepdim interpolation", ImportQuantile, "several quantiles at once"},
    {"searchsorted", "sorted_sequence self out_int32 right side sorter", ImportSearchSorted},
    {"unique_consecutive", "self return_inverse return_counts dim", ImportUniqueConsecutive},
    {"unique_dim", "self dim sorted return_inverse return_counts", ImportUniqueDim},
};

}  // namespace micrort::frontend::torchscript
