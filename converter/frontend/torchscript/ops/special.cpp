// Functions of mathematics, of one and of two numbers.

#include <cmath>
#include <limits>

#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"
#include "converter/ir/float_limits.h"
#include "converter/lower/complex.h"
#include "converter/lower/integers.h"

namespace micrort::frontend::torchscript {

namespace {

using Ids = std::vector<ir::ValueId>;

ir::ValueId AsFloats(OpContext& c, ir::ValueId x) {
  return IsFloatType(c.dtype(x)) ? x : c.build.Cast(x, DType::kFloat32);
}

// Computed in float32; other floats keep their type.
template <ir::ValueId (*function)(ir::Builder&, ir::ValueId)>
void ImportFunction(OpContext& c) {
  const ir::ValueId x = AsFloats(c, c.TensorAt(0));
  c.Return(c.CastTo(function(c.build, c.CastTo(x, DType::kFloat32)), c.dtype(x)));
}

Ids PromotedToFloats(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  return {AsFloats(c, x[0]), AsFloats(c, x[1])};
}

void ImportNextAfter(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  if (c.dtype(x[0]) != DType::kFloat32 && c.dtype(x[0]) != DType::kFloat64)
    return c.Fail(Unsupported("the number next to one of {}", Name(c.dtype(x[0]))));
  c.Return(NextAfter(c.build, x[0], x[1]));
}

// (self, eps): with it, x is first brought into [eps, 1 - eps].
void ImportLogit(OpContext& c) {
  ir::ValueId x = AsFloats(c, c.TensorAt(0));
  const DType dtype = c.dtype(x);
  if (c.Has(1)) {
    const double epsilon = c.Float(1, 0);
    x = c.Onnx("Clip", {x, c.Scalar(dtype, epsilon), c.Scalar(dtype, 1 - epsilon)});
  }
  c.Return(c.build.Log(c.build.Div(x, c.build.Sub(c.Scalar(dtype, 1), x))));
}

void ImportSinc(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), one = c.Scalar(c.dtype(x), 1);
  const ir::ValueId is_zero = c.build.Equal(x, c.Scalar(c.dtype(x), 0));
  const ir::ValueId angle = c.build.Mul(x, c.Scalar(c.dtype(x), 3.14159265358979323846));
  const ir::ValueId divisor = c.build.Select({is_zero, one, angle});
  c.Return(c.build.Select({is_zero, one, c.build.Div(c.build.Sin(angle), divisor)}));
}

// (self, nan, posinf, neginf): without them 0 and the largest numbers that there are
void ImportNanToNum(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const DType dtype = c.dtype(x);
  if (!IsFloatType(dtype)) return c.ReturnValue(c.arg(0));
  const double largest = ir::LargestFinite(dtype);
  const ir::ValueId infinity = c.Scalar(dtype, std::numeric_limits<float>::infinity());
  const ir::ValueId minus_infinity = c.Scalar(dtype, -std::numeric_limits<float>::infinity());
  ir::ValueId y = c.build.Select({c.build.IsNaN(x), c.Scalar(dtype, c.Float(1, 0)), x});
  y = c.build.Select({c.build.Equal(x, infinity), c.Scalar(dtype, c.Float(2, largest)), y});
  c.Return(c.build.Select({c.build.Equal(x, minus_infinity), c.Scalar(dtype, c.Float(3, -largest)), y}));
}

void ImportHypot(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  c.Return(lower::Hypotenuse(c.build, x[0], x[1]));
}

// log(exp(x) + exp(y)), which neither overflows nor is NaN for two equal infinities.
void ImportLogAddExp(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  const DType dtype = c.dtype(x[0]);
  const ir::ValueId are_equal = c.build.Equal(x[0], x[1]);
  const ir::ValueId distance = c.build.Abs(c.build.Sub(x[0], x[1]));
  const ir::ValueId more = Log1p(c.build, c.build.Exp(c.build.Neg(distance)));
  const ir::ValueId added = c.build.Select({are_equal, c.Scalar(dtype, std::log(2.0)), more});
  c.Return(c.build.Add(c.Onnx("Max", x), added));
}

// x log(y), 0 for x = 0.
void ImportXLogY(OpContext& c) {
  const Ids x = PromotedToFloats(c);
  const ir::ValueId zero = c.Scalar(c.dtype(x[0]), 0);
  c.Return(c.build.Select({c.build.Equal(x[0], zero), zero, c.build.Mul(x[0], c.build.Log(x[1]))}));
}

void ImportCopySign(OpContext& c) {
  const Ids x = PromotedToFloats(c);
  const ir::ValueId magnitude = c.build.Abs(x[0]);
  const ir::ValueId is_negative = c.build.Less(x[1], c.Scalar(c.dtype(x[1]), 0));
  c.Return(c.build.Select({is_negative, c.build.Neg(magnitude), magnitude}));
}

// (self, values): what 0 becomes
void ImportHeaviside(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  const DType dtype = c.dtype(x[0]);
  const ir::ValueId zero = c.Scalar(dtype, 0);
  const ir::ValueId step = c.build.Select({c.build.Greater(x[0], zero), c.Scalar(dtype, 1), zero});
  c.Return(c.build.Select({c.build.Equal(x[0], zero), x[1], step}));
}

// The extremum of a number and NaN is the number.
template <bool is_max>
void ImportExtremumButNan(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  const ir::ValueId y = c.Onnx(is_max ? "Max" : "Min", x);
  if (!IsFloatType(c.dtype(y))) return c.Return(y);
  const ir::ValueId first = c.build.Select({c.build.IsNaN(x[1]), x[0], y});
  c.Return(c.build.Select({c.build.IsNaN(x[0]), x[1], first}));
}

// (self, other, rtol, atol, equal_nan)
void ImportIsClose(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  const DType type = c.dtype(x[0]) == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  const ir::ValueId a = c.CastTo(x[0], type), b = c.CastTo(x[1], type);
  const ir::ValueId relative = c.Onnx("Mul", {c.build.Abs(b), c.Scalar(type, c.Float(2, 1e-5))});
  const ir::ValueId allowed = c.build.Add(relative, c.Scalar(type, c.Float(3, 1e-8)));
  const ir::ValueId is_near = c.build.LessOrEqual(c.build.Abs(c.build.Sub(a, b)), allowed);
  const ir::ValueId y = c.build.Or(is_near, c.build.Equal(a, b));
  if (!c.Bool(4, false)) return c.Return(y);
  c.Return(c.build.Or(y, c.Onnx("And", {c.build.IsNaN(a), c.build.IsNaN(b)})));
}

template <bool left>
void ImportShift(OpContext& c) {
  const Ids x = Promoted(c, {c.arg(0), c.arg(1)});
  const DType dtype = c.dtype(x[0]);
  if (!IsIntegerType(dtype)) return c.Fail(Unsupported("a shift of {}", Name(dtype)));
  c.Return(left ? c.build.ShiftLeft(x[0], x[1]) : lower::ShiftRightOut(c.build, x[0], x[1]));
}

constexpr char kOne[] = "self", kPair[] = "self other";

}  // namespace

const ImporterList SpecialOps = {
    {"__lshift__", kPair, ImportShift<true>},
    {"__rshift__", kPair, ImportShift<false>},
    {"bitwise_left_shift", kPair, ImportShift<true>},
    {"bitwise_right_shift", kPair, ImportShift<false>},
    {"copysign", kPair, ImportCopySign, "signs of zeros"},
    {"digamma", kOne, ImportFunction<Digamma>},
    {"erfinv", kOne, ImportFunction<Erfinv>},
    {"fmax", kPair, ImportExtremumButNan<true>},
    {"fmin", kPair, ImportExtremumButNan<false>},
    {"heaviside", kPair, ImportHeaviside},
    {"hypot", kPair, ImportHypot},
    {"isclose", "self other rtol atol equal_nan", ImportIsClose},
    {"lgamma", kOne, ImportFunction<Lgamma>},
    {"logaddexp", kPair, ImportLogAddExp},
    {"logit", "self eps", ImportLogit},
    {"nan_to_num", "self nan posinf neginf", ImportNanToNum},
    {"nextafter", kPair, ImportNextAfter},
    {"sinc", kOne, ImportSinc},
    {"special_ndtri", kOne, ImportFunction<Ndtri>},
    {"xlogy", kPair, ImportXLogY},
};

}  // namespace micrort::frontend::torchscript
