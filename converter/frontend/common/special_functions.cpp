#include "converter/frontend/common/special_functions.h"

#include <cmath>
#include <limits>

namespace micrort::frontend {

namespace {

using schema::UnaryKind;

constexpr double kPi = 3.14159265358979323846;

// Formulas whose numbers are of the type of x.
class Typed {
 public:
  Typed(ir::Builder& b, ir::ValueId x) : b_(b), dtype_(b.graph().value(x).dtype) {}
  ir::ValueId Num(double v) {
    if (dtype_ == DType::kFloat64) return b_.Constant<double>({}, {v});
    const ir::ValueId number = b_.Scalar(v);
    return b_.As(number, dtype_);
  }

 private:
  ir::Builder& b_;
  DType dtype_;
};

// y where the node before has made x = exp(y), of float32.
ir::ValueId ExponentOfLast(const ir::Graph& graph, ir::ValueId x) {
  if (graph.nodes.empty() || graph.value(x).dtype != DType::kFloat32) return ir::kNoValue;
  const ir::Node& last = *graph.nodes.back();
  const bool is_exp =
      last.code == schema::OpCode::Unary && last.as<schema::UnaryOptionsT>().kind == UnaryKind::Exp;
  return is_exp && last.outputs[0] == x ? last.inputs[0] : ir::kNoValue;
}

ir::ValueId NumberLike(ir::Builder& b, ir::ValueId x, float v) {
  const DType dtype = b.graph().value(x).dtype;
  return dtype == DType::kFloat32 ? b.Scalar(v) : b.Cast(b.Scalar(v), dtype);
}

// log(exp(x) + exp(y)) relative to the larger one; of equal infinities the difference is no number.
ir::ValueId LogAddExp(ir::Builder& b, ir::ValueId x, ir::ValueId y) {
  const ir::ValueId distance = b.Abs(b.Sub(x, y));
  const ir::ValueId more = b.Softplus(b.Neg(distance));
  const ir::ValueId twice = NumberLike(b, x, static_cast<float>(std::log(2.0)));
  const ir::ValueId added = b.Select({b.Equal(x, y), twice, more});
  return b.Add(b.Max(x, y), added);
}

}  // namespace

ir::ValueId Polynomial(ir::Builder& b, ir::ValueId x, std::initializer_list<double> coefficients) {
  ir::ValueId sum = ir::kNoValue;
  for (const double k : coefficients)
    sum = sum == ir::kNoValue ? b.Scalar(k) : b.Add(b.Mul(sum, x), b.Scalar(k));
  return sum;
}

// 2 atanh(x / (x + 2)) near 0. log(1 + exp(y)) is one operator, which keeps its digits.
ir::ValueId Log1p(ir::Builder& b, ir::ValueId x) {
  const ir::ValueId y = ExponentOfLast(b.graph(), x);
  if (y != ir::kNoValue) return b.Softplus(y);
  Typed m(b, x);
  const ir::ValueId ratio = b.Div(x, b.Add(x, m.Num(2)));
  const ir::ValueId near = b.Mul(m.Num(2), b.Atanh(ratio));
  const ir::ValueId is_near = b.Less(b.Abs(x), m.Num(0.5));
  return b.If(is_near, near, b.Log(b.Add(x, m.Num(1))));
}

// 2 t / (1 - t) with t = tanh(x / 2) near 0.
ir::ValueId Expm1(ir::Builder& b, ir::ValueId x) {
  Typed m(b, x);
  const ir::ValueId t = b.Tanh(b.Mul(x, m.Num(0.5)));
  const ir::ValueId near = b.Div(b.Add(t, t), b.Sub(m.Num(1), t));
  const ir::ValueId is_near = b.Less(b.Abs(x), m.Num(0.5));
  return b.If(is_near, near, b.Sub(b.Exp(x), m.Num(1)));
}

// Chebyshev's polynomial of "Numerical Recipes" (erfcc, off by 1.2e-7 of the value) where 1 - erf(x) keeps
// less.
ir::ValueId Erfc(ir::Builder& b, ir::ValueId x) {
  Typed m(b, x);
  const ir::ValueId t = b.Div(m.Num(1), b.Add(m.Num(1), b.Mul(m.Num(0.5), b.Abs(x))));
  ir::ValueId sum = m.Num(0.17087277);
  for (const double k : {-0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418,
                         0.37409196, 1.00002368, -1.26551223}) {
    sum = b.Add(b.Mul(sum, t), m.Num(k));
  }
  const ir::ValueId far = b.Mul(t, b.Exp(b.Sub(sum, b.Mul(x, x))));
  const double limit = b.graph().value(x).dtype == DType::kFloat64 ? 4 : 0.5;
  return b.If(b.Less(x, m.Num(limit)), b.Sub(m.Num(1), b.Erf(x)), far);
}

// M. Giles, "Approximating the erfinv function" (2010): one polynomial near the middle, one for the ends.
// Takes 1 - x^2 too, which x does not tell near its ends.
ir::ValueId ErfinvOf(ir::Builder& b, ir::ValueId x, ir::ValueId rest) {
  const ir::ValueId w = b.Neg(b.Log(rest));
  const ir::ValueId middle =
      Polynomial(b, b.Sub(w, b.Scalar(2.5)),
                 {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                  -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
  const ir::ValueId ends = Polynomial(b, b.Sub(b.Sqrt(w), b.Scalar(3)),
                                      {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844,
                                       0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  const ir::ValueId infinity = b.Scalar(std::numeric_limits<double>::infinity());
  const ir::ValueId is_end = b.Equal(rest, b.Scalar(0));
  return b.Mul(b.If(is_end, infinity, b.If(b.Less(w, b.Scalar(5)), middle, ends)), x);
}

ir::ValueId Erfinv(ir::Builder& b, ir::ValueId x) {
  return ErfinvOf(b, x, b.Mul(b.Sub(b.Scalar(1), x), b.Add(b.Scalar(1), x)));
}

ir::ValueId Ndtri(ir::Builder& b, ir::ValueId p) {
  const ir::ValueId rest = b.Mul(b.Mul(p, b.Scalar(4)), b.Sub(b.Scalar(1), p));
  return b.Mul(ErfinvOf(b, b.Sub(b.Mul(p, b.Scalar(2)), b.Scalar(1)), rest), b.Scalar(std::sqrt(2.0)));
}

// Lanczos' approximation (g = 7, nine terms), mirrored for x < 1/2.
ir::ValueId Lgamma(ir::Builder& b, ir::ValueId x) {
  const ir::ValueId is_low = b.Less(x, b.Scalar(0.5));
  const ir::ValueId z = b.If(is_low, b.Neg(x), b.Sub(x, b.Scalar(1)));
  ir::ValueId sum = b.Scalar(0.99999999999980993);
  int i = 1;
  for (const double k :
       {676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
        -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7}) {
    sum = b.Add(sum, b.Div(b.Scalar(k), b.Add(z, b.Scalar(i++))));
  }
  const ir::ValueId t = b.Add(z, b.Scalar(7.5));
  const ir::ValueId power = b.Sub(b.Mul(b.Add(z, b.Scalar(0.5)), b.Log(t)), t);
  const ir::ValueId high = b.Add(b.Scalar(0.91893853320467274), b.Add(power, b.Log(sum)));
  const ir::ValueId sine = b.Abs(b.Sin(b.Mul(x, b.Scalar(kPi))));
  const ir::ValueId low = b.Sub(b.Sub(b.Scalar(std::log(kPi)), b.Log(sine)), high);
  // At zero, negative integers and both infinities.
  const ir::ValueId infinity = b.Scalar(std::numeric_limits<double>::infinity());
  const ir::ValueId is_whole = b.Equal(x, b.Floor(x));
  const ir::ValueId is_pole = b.If(b.Less(b.Scalar(0), x), b.IsInf(x), is_whole);
  return b.If(is_pole, infinity, b.If(is_low, low, high));
}

// The asymptotic series (Abramowitz and Stegun, 6.3.18) six steps further on, mirrored for x < 0.
ir::ValueId Digamma(ir::Builder& b, ir::ValueId x) {
  const ir::ValueId is_negative = b.Less(x, b.Scalar(0));
  const ir::ValueId z = b.If(is_negative, b.Sub(b.Scalar(1), x), x);
  constexpr int kSteps = 6;
  ir::ValueId steps = b.Div(b.Scalar(1), z);
  for (int i = 1; i < kSteps; ++i) steps = b.Add(steps, b.Div(b.Scalar(1), b.Add(z, b.Scalar(i))));
  const ir::ValueId far = b.Add(z, b.Scalar(kSteps)), inverse = b.Div(b.Scalar(1), far);
  const ir::ValueId series =
      Polynomial(b, b.Mul(inverse, inverse), {1.0 / 240, -1.0 / 252, 1.0 / 120, -1.0 / 12, 0});
  const ir::ValueId at_far = b.Add(b.Sub(b.Log(far), b.Mul(inverse, b.Scalar(0.5))), series);
  const ir::ValueId high = b.Sub(at_far, steps);
  const ir::ValueId mirrored = b.Div(b.Scalar(kPi), b.Tan(b.Mul(x, b.Scalar(kPi))));
  const ir::ValueId is_pole = b.Equal(x, b.Floor(x));
  const ir::ValueId low = b.If(is_pole, b.Scalar(std::nan("")), b.Sub(high, mirrored));
  return b.If(is_negative, low, high);
}

// Numbers of one sign are in the order of their bits; next to 0 is the smallest number that there is.
ir::ValueId NextAfter(ir::Builder& b, ir::ValueId x, ir::ValueId y) {
  Typed m(b, x);
  const bool is_double = b.graph().value(x).dtype == DType::kFloat64;
  const DType dtype = is_double ? DType::kInt64 : DType::kInt32;
  const auto integer = [&](int64_t v) {
    return is_double ? b.Constant<int64_t>({}, {v}) : b.Constant<int32_t>({}, {static_cast<int32_t>(v)});
  };
  const int64_t lowest =
      is_double ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int32_t>::min();
  const ir::ValueId zero = m.Num(0);
  const ir::ValueId is_up = b.Less(x, y), is_zero = b.Equal(x, zero);
  const ir::ValueId grows = b.Xor(is_up, b.Less(x, zero));
  const ir::ValueId moved = b.Add(b.BitCast(x, dtype), b.If(grows, integer(1), integer(-1)));
  const ir::ValueId smallest = b.If(is_up, integer(1), integer(lowest + 1));
  const ir::ValueId next = b.BitCast(b.If(is_zero, smallest, moved), b.graph().value(x).dtype);
  const ir::ValueId is_there = b.Equal(x, y);
  const ir::ValueId is_number = b.Not(b.Or(b.IsNaN(x), b.IsNaN(y)));
  return b.If(is_number, b.If(is_there, y, next), m.Num(std::nan("")));
}

// In the first quadrant, from where the signs turn it. Equal sides, which may be zeros or infinities, have no
// quotient; the reciprocal of a zero tells its sign.
ir::ValueId Atan2(ir::Builder& b, ir::ValueId y, ir::ValueId x) {
  Typed m(b, x);
  const ir::ValueId zero = m.Num(0);
  const auto is_negative = [&](ir::ValueId v) {
    return b.Or(b.Less(v, zero), b.Less(b.Div(m.Num(1), v), zero));
  };
  const ir::ValueId width = b.Abs(x), height = b.Abs(y);
  const ir::ValueId diagonal = b.If(b.Equal(height, zero), zero, m.Num(kPi / 4));
  const ir::ValueId angle = b.If(b.Equal(height, width), diagonal, b.Atan(b.Div(height, width)));
  const ir::ValueId turned = b.If(is_negative(x), b.Sub(m.Num(kPi), angle), angle);
  return b.If(is_negative(y), b.Neg(turned), turned);
}

ir::ValueId Delayed(ir::Builder& b, ir::ValueId x, int axis, int64_t count, float fill) {
  const auto rank = static_cast<size_t>(b.graph().value(x).rank()), at = static_cast<size_t>(axis);
  schema::PadOptionsT pad;
  pad.pads.assign(2 * rank, 0);
  pad.pads[at] = count, pad.pads[rank + at] = -count;
  return b.Add(std::move(pad), {x, ir::kNoValue, NumberLike(b, x, fill)});
}

// Each element joins the one before it, then sums of two join, of four and so on. A sum that is taken
// relative to the largest of all would lose what is much smaller.
ir::ValueId CumulativeLogSumExp(ir::Builder& b, ir::ValueId x, int axis) {
  const int64_t size = b.graph().value(x).dim(static_cast<size_t>(axis));
  for (int64_t count = 1; count < size; count *= 2)
    x = LogAddExp(b, x, Delayed(b, x, axis, count, -std::numeric_limits<float>::infinity()));
  return x;
}

}  // namespace micrort::frontend
