// Sums, means, extrema and what is made of them.

#include "converter/frontend/torchscript/ops/norm.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

using schema::ReduceKind;

std::vector<int32_t> AxesOrAll(OpContext& c, size_t i, int rank) {
  std::vector<int32_t> axes = c.Axes(i, rank);
  if (rank == 0) return {};
  if (!axes.empty()) return axes;
  for (int32_t k = 0; k < rank; ++k) axes.push_back(k);
  return axes;
}

// (self, dim, keepdim, dtype)
template <ReduceKind kind>
void ImportReduce(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const bool counts = kind == ReduceKind::Sum || kind == ReduceKind::Prod;
  const DType own = counts && !IsFloatType(c.dtype(x)) ? DType::kInt64 : c.dtype(x);
  x = c.CastTo(x, c.Type(3, own));
  c.Return(c.build.Reduce(kind, x, AxesOrAll(c, 1, c.rank(x)), c.Bool(2, false)));
}

// (self), (self, dim, keepdim), (self, other)
template <ReduceKind kind, ReduceKind at>
void ImportExtremum(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  if (c.arg(1).is_tensor())
    return c.Return(c.Onnx(kind == ReduceKind::Max ? "Max" : "Min", Promoted(c, {c.arg(0), c.arg(1)})));
  const std::vector<int32_t> axes = AxesOrAll(c, 1, c.rank(x));
  const bool keep = c.Bool(2, false);
  const ir::ValueId values = c.build.Reduce(kind, x, axes, keep);
  if (!c.Has(1)) return c.Return(values);
  c.ReturnTuple({values, c.build.Reduce(at, x, axes, keep)});
}

template <ReduceKind kind>
void ImportValuesOnly(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(c.build.Reduce(kind, x, AxesOrAll(c, 1, c.rank(x)), c.Bool(2, false)));
}

// (self, dim, keepdim): without dim, of all elements in a row
template <ReduceKind kind>
void ImportArgExtremum(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  if (!c.Has(1)) x = c.build.Reshape(x, {ir::kInferDim});
  const int axis = c.Has(1) ? c.Axis(1, c.rank(x), 0) : 0;
  c.Return(c.build.Reduce(kind, x, {axis}, c.Has(1) && c.Bool(2, false)));
}

ir::ValueId CountOf(OpContext& c, ir::ValueId x, const std::vector<int32_t>& axes) {
  double count = 1;
  for (const int32_t axis : axes) count *= static_cast<double>(c.FixedDim(x, axis));
  return c.Scalar(c.dtype(x), count);
}

ir::ValueId Variance(OpContext& c, ir::ValueId x, const std::vector<int32_t>& axes, double correction,
                     bool keep) {
  const ir::ValueId mean = c.build.Reduce(ReduceKind::Mean, x, axes, true);
  const ir::ValueId off = c.build.Sub(x, mean);
  const ir::ValueId squares = c.build.Mul(off, off);
  if (correction == 0) return c.build.Reduce(ReduceKind::Mean, squares, axes, keep);
  const ir::ValueId sum = c.build.Reduce(ReduceKind::Sum, squares, axes, keep);
  return c.build.Div(sum, c.Onnx("Sub", {CountOf(c, x, axes), c.Scalar(c.dtype(x), correction)}));
}

// (self, unbiased), (self, dim, unbiased, keepdim), (self, dim, correction, keepdim)
template <bool root, bool with_mean>
void ImportVariance(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const bool is_short = c.arg(1).Is(Kind::kBool);
  const std::vector<int32_t> axes = is_short ? ir::AxesFrom(0, c.rank(x)) : AxesOrAll(c, 1, c.rank(x));
  double correction = 1;
  if (is_short) {
    correction = c.Bool(1, true) ? 1 : 0;
  } else if (c.Has(4)) {
    correction = c.Float(4, 1);
  } else if (c.Has(2)) {
    correction = c.arg(2).Is(Kind::kBool) ? (c.Bool(2, true) ? 1 : 0) : c.Float(2, 1);
  }
  const bool keep = !is_short && c.Bool(3, false);
  ir::ValueId y = Variance(c, x, axes, correction, keep);
  if (root) y = c.build.Sqrt(y);
  if (!with_mean) return c.Return(y);
  c.ReturnTuple({y, c.build.Reduce(ReduceKind::Mean, x, axes, keep)});
}

// (self, p, dim, keepdim, dtype)
void ImportNorm(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  if (c.arg(1).Is(Kind::kString) && c.arg(1).text != "fro")
    return c.Fail(Unsupported("a norm of kind '{}'", c.arg(1).text));
  const double p = c.arg(1).Is(Kind::kString) ? 2 : c.Float(1, 2);
  c.Return(NormOf(c, x, p, AxesOrAll(c, 2, c.rank(x)), c.Bool(3, false)));
}

// (self, dim, keepdim)
void ImportFrobeniusNorm(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(NormOf(c, x, 2, AxesOrAll(c, 1, c.rank(x)), c.Bool(2, false)));
}

// (self, dim, keepdim): any (the sum, as the maximum of no integers is no truth value) or all (the minimum)
template <ReduceKind kind>
void ImportTruth(OpContext& c) {
  const ir::ValueId given = c.TensorAt(0);
  const ir::ValueId x = c.CastTo(c.CastTo(given, DType::kBool), DType::kInt32);
  // PyTorch keeps masks of bytes, as they were before it had bool.
  const DType dtype = c.dtype(given) == DType::kUInt8 ? DType::kUInt8 : DType::kBool;
  const ir::ValueId reduced = c.build.Reduce(kind, x, AxesOrAll(c, 1, c.rank(x)), c.Bool(2, false));
  c.Return(c.CastTo(c.CastTo(reduced, DType::kBool), dtype));
}

// (self, dim, dtype)
template <bool product>
void ImportCumulative(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const DType own = IsFloatType(c.dtype(x)) ? c.dtype(x) : DType::kInt64;
  x = c.CastTo(x, c.Type(2, own));
  c.Return(c.Onnx(product ? "CumProd" : "CumSum", {x, c.build.Integer(c.Axis(1, c.rank(x), 0))}));
}

constexpr char kReduce[] = "self dim keepdim dtype";
constexpr char kVariance[] = "self dim unbiased keepdim correction";

// (self, dim, keepdim): the least and the greatest
void ImportAMinMax(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const std::vector<int32_t> axes = AxesOrAll(c, 1, c.rank(x));
  const bool keep = c.Bool(2, false);
  c.ReturnTuple(
      {c.build.Reduce(ReduceKind::Min, x, axes, keep), c.build.Reduce(ReduceKind::Max, x, axes, keep)});
}

// (self, dim)
void ImportCountNonZero(OpContext& c) {
  const ir::ValueId x = c.CastTo(c.CastTo(c.TensorAt(0), DType::kBool), DType::kInt64);
  c.Return(c.build.Reduce(ReduceKind::Sum, x, AxesOrAll(c, 1, c.rank(x)), false));
}

// (self, dim, keepdim, dtype): of what is a number
template <bool is_mean>
void ImportButNan(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), is_nan = c.build.IsNaN(x);
  const std::vector<int32_t> axes = AxesOrAll(c, 1, c.rank(x));
  const DType dtype = c.dtype(x);
  const ir::ValueId zero = c.Scalar(dtype, 0);
  const ir::ValueId sum =
      c.build.Reduce(ReduceKind::Sum, c.build.Select({is_nan, zero, x}), axes, c.Bool(2, false));
  if (!is_mean) return c.Return(sum);
  const ir::ValueId counted = c.CastTo(c.build.Not(is_nan), dtype);
  c.Return(c.build.Div(sum, c.build.Reduce(ReduceKind::Sum, counted, axes, c.Bool(2, false))));
}

}  // namespace

const ImporterList ReductionOps = {
    {"all", "self dim keepdim", ImportTruth<ReduceKind::Min>},
    {"amax", "self dim keepdim", ImportValuesOnly<ReduceKind::Max>},
    {"amin", "self dim keepdim", ImportValuesOnly<ReduceKind::Min>},
    {"aminmax", "self dim keepdim", ImportAMinMax},
    {"any", "self dim keepdim", ImportTruth<ReduceKind::Sum>},
    {"argmax", "self dim keepdim", ImportArgExtremum<ReduceKind::ArgMax>},
    {"argmin", "self dim keepdim", ImportArgExtremum<ReduceKind::ArgMin>},
    {"count_nonzero", "self dim", ImportCountNonZero},
    {"cumprod", "self dim dtype", ImportCumulative<true>},
    {"cumsum", "self dim dtype", ImportCumulative<false>},
    {"frobenius_norm", "self dim keepdim", ImportFrobeniusNorm},
    {"linalg_vector_norm", "self ord dim keepdim dtype", ImportNorm},
    {"logsumexp", "self dim keepdim", ImportValuesOnly<ReduceKind::LogSumExp>},
    {"max", "self dim keepdim", ImportExtremum<ReduceKind::Max, ReduceKind::ArgMax>},
    {"mean", kReduce, ImportReduce<ReduceKind::Mean>},
    {"min", "self dim keepdim", ImportExtremum<ReduceKind::Min, ReduceKind::ArgMin>},
    {"nanmean", kReduce, ImportButNan<true>},
    {"nansum", kReduce, ImportButNan<false>},
    {"norm", "self p dim keepdim dtype", ImportNorm},
    {"prod", kReduce, ImportReduce<ReduceKind::Prod>},
    {"std", kVariance, ImportVariance<true, false>},
    {"std_mean", kVariance, ImportVariance<true, true>},
    {"sum", kReduce, ImportReduce<ReduceKind::Sum>},
    {"var", kVariance, ImportVariance<false, false>},
    {"var_mean", kVariance, ImportVariance<false, true>},
};

}  // namespace micrort::frontend::torchscript
