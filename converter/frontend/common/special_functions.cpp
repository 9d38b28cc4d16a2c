#include "converter/frontend/common/special_functions.h"

#include <cmath>
#include <limits>

namespace micrort::frontend {

namespace {

using schema::UnaryKind;

constexpr double kPi = 3.14159265358979323846;

// Formulas whose numbers are of the type of x.
class Typed : public Math {
 public:
  Typed(ir::Builder& b, ir::ValueId x) : Math(b), b_(b), dtype_(b.graph().value(x).dtype) {}
  ir::ValueId Num(double v) {
    if (dtype_ == DType::kFloat64) return b_.Constant<double>({}, {v});
    const ir::ValueId number = Math::Num(v);
    return dtype_ == DType::kFloat32 ? number : b_.Cast(number, dtype_);
  }
  ir::ValueId Unary(UnaryKind kind, ir::ValueId x) { return b_.Unary(kind, x); }

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

using schema::BinaryKind;

ir::ValueId NumberLike(ir::Builder& b, ir::ValueId x, float v) {
  const DType dtype = b.graph().value(x).dtype;
  return dtype == DType::kFloat32 ? b.Scalar(v) : b.Cast(b.Scalar(v), dtype);
}

// log(exp(x) + exp(y)) relative to the larger one; of equal infinities the difference is no number.
ir::ValueId LogAddExp(ir::Builder& b, ir::ValueId x, ir::ValueId y) {
  const ir::ValueId distance = b.Unary(UnaryKind::Abs, b.Binary(BinaryKind::Sub, x, y));
  const ir::ValueId more = b.Unary(UnaryKind::Softplus, b.Unary(UnaryKind::Neg, distance));
  const ir::ValueId twice = NumberLike(b, x, static_cast<float>(std::log(2.0)));
  const ir::ValueId added = b.Add(schema::SelectOptionsT(), {b.Binary(BinaryKind::Equal, x, y), twice, more});
  return b.Binary(BinaryKind::Add, b.Binary(BinaryKind::Max, x, y), added);
}

}  // namespace

ir::ValueId Math::Polynomial(ir::ValueId x, std::initializer_list<double> coefficients) {
  ir::ValueId sum = ir::kNoValue;
  for (const double k : coefficients) sum = sum == ir::kNoValue ? Num(k) : Add(Mul(sum, x), Num(k));
  return sum;
}

// 2 atanh(x / (x + 2)) near 0. log(1 + exp(y)) is one operator, which keeps its digits.
ir::ValueId Log1p(ir::Builder& b, ir::ValueId x) {
  const ir::ValueId y = ExponentOfLast(b.graph(), x);
  if (y != ir::kNoValue) return b.Unary(UnaryKind::Softplus, y);
  Typed m(b, x);
  const ir::ValueId ratio = m.Div(x, m.Add(x, m.Num(2)));
  const ir::ValueId near = m.Mul(m.Num(2), m.Unary(UnaryKind::Atanh, ratio));
  const ir::ValueId is_near = m.Less(m.Unary(UnaryKind::Abs, x), m.Num(0.5));
  return m.If(is_near, near, m.Log(m.Add(x, m.Num(1))));
}

// 2 t / (1 - t) with t = tanh(x / 2) near 0.
ir::ValueId Expm1(ir::Builder& b, ir::ValueId x) {
  Typed m(b, x);
  const ir::ValueId t = m.Unary(UnaryKind::Tanh, m.Mul(x, m.Num(0.5)));
  const ir::ValueId near = m.Div(m.Add(t, t), m.Sub(m.Num(1), t));
  const ir::ValueId is_near = m.Less(m.Unary(UnaryKind::Abs, x), m.Num(0.5));
  return m.If(is_near, near, m.Sub(m.Unary(UnaryKind::Exp, x), m.Num(1)));
}

// Chebyshev's polynomial of "Numerical Recipes" (erfcc, off by 1.2e-7 of the value) where 1 - erf(x) keeps
// less.
ir::ValueId Erfc(ir::Builder& b, ir::ValueId x) {
  Typed m(b, x);
  const ir::ValueId t = m.Div(m.Num(1), m.Add(m.Num(1), m.Mul(m.Num(0.5), m.Unary(UnaryKind::Abs, x))));
  ir::ValueId sum = m.Num(0.17087277);
  for (const double k : {-0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418,
                         0.37409196, 1.00002368, -1.26551223}) {
    sum = m.Add(m.Mul(sum, t), m.Num(k));
  }
  const ir::ValueId far = m.Mul(t, m.Unary(UnaryKind::Exp, m.Sub(sum, m.Mul(x, x))));
  const double limit = b.graph().value(x).dtype == DType::kFloat64 ? 4 : 0.5;
  return m.If(m.Less(x, m.Num(limit)), m.Sub(m.Num(1), m.Unary(UnaryKind::Erf, x)), far);
}

// M. Giles, "Approximating the erfinv function" (2010): one polynomial near the middle, one for the ends.
// Takes 1 - x^2 too, which x does not tell near its ends.
ir::ValueId ErfinvOf(ir::Builder& b, ir::ValueId x, ir::ValueId rest) {
  Math m(b);
  const ir::ValueId w = b.Unary(UnaryKind::Neg, m.Log(rest));
  const ir::ValueId middle = m.Polynomial(
      m.Sub(w, m.Num(2.5)), {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                             -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
  const ir::ValueId ends =
      m.Polynomial(m.Sub(b.Unary(UnaryKind::Sqrt, w), m.Num(3)),
                   {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                    -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  const ir::ValueId infinity = m.Num(std::numeric_limits<double>::infinity());
  const ir::ValueId is_end = b.Binary(schema::BinaryKind::Equal, rest, m.Num(0));
  return m.Mul(m.If(is_end, infinity, m.If(m.Less(w, m.Num(5)), middle, ends)), x);
}

ir::ValueId Erfinv(ir::Builder& b, ir::ValueId x) {
  Math m(b);
  return ErfinvOf(b, x, m.Mul(m.Sub(m.Num(1), x), m.Add(m.Num(1), x)));
}

ir::ValueId Ndtri(ir::Builder& b, ir::ValueId p) {
  Math m(b);
  const ir::ValueId rest = m.Mul(m.Mul(p, m.Num(4)), m.Sub(m.Num(1), p));
  return m.Mul(ErfinvOf(b, m.Sub(m.Mul(p, m.Num(2)), m.Num(1)), rest), m.Num(std::sqrt(2.0)));
}

// Lanczos' approximation (g = 7, nine terms), mirrored for x < 1/2.
ir::ValueId Lgamma(ir::Builder& b, ir::ValueId x) {
  Math m(b);
  const ir::ValueId is_low = m.Less(x, m.Num(0.5));
  const ir::ValueId z = m.If(is_low, b.Unary(UnaryKind::Neg, x), m.Sub(x, m.Num(1)));
  ir::ValueId sum = m.Num(0.99999999999980993);
  int i = 1;
  for (const double k :
       {676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
        -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7}) {
    sum = m.Add(sum, m.Div(m.Num(k), m.Add(z, m.Num(i++))));
  }
  const ir::ValueId t = m.Add(z, m.Num(7.5));
  const ir::ValueId power = m.Sub(m.Mul(m.Add(z, m.Num(0.5)), m.Log(t)), t);
  const ir::ValueId high = m.Add(m.Num(0.91893853320467274), m.Add(power, m.Log(sum)));
  const ir::ValueId sine = b.Unary(UnaryKind::Abs, b.Unary(UnaryKind::Sin, m.Mul(x, m.Num(kPi))));
  const ir::ValueId low = m.Sub(m.Sub(m.Num(std::log(kPi)), m.Log(sine)), high);
  // At zero, negative integers and both infinities.
  const ir::ValueId infinity = m.Num(std::numeric_limits<double>::infinity());
  const ir::ValueId is_whole = b.Binary(schema::BinaryKind::Equal, x, b.Unary(UnaryKind::Floor, x));
  const ir::ValueId is_pole = m.If(m.Less(m.Num(0), x), b.Unary(UnaryKind::IsInf, x), is_whole);
  return m.If(is_pole, infinity, m.If(is_low, low, high));
}

// The asymptotic series (Abramowitz and Stegun, 6.3.18) six steps further on, mirrored for x < 0.
ir::ValueId Digamma(ir::Builder& b, ir::ValueId x) {
  Math m(b);
  const ir::ValueId is_negative = m.Less(x, m.Num(0));
  const ir::ValueId z = m.If(is_negative, m.Sub(m.Num(1), x), x);
  constexpr int kSteps = 6;
  ir::ValueId steps = m.Div(m.Num(1), z);
  for (int i = 1; i < kSteps; ++i) steps = m.Add(steps, m.Div(m.Num(1), m.Add(z, m.Num(i))));
  const ir::ValueId far = m.Add(z, m.Num(kSteps)), inverse = m.Div(m.Num(1), far);
  const ir::ValueId series =
      m.Polynomial(m.Mul(inverse, inverse), {1.0 / 240, -1.0 / 252, 1.0 / 120, -1.0 / 12, 0});
  const ir::ValueId at_far = m.Add(m.Sub(m.Log(far), m.Mul(inverse, m.Num(0.5))), series);
  const ir::ValueId high = m.Sub(at_far, steps);
  const ir::ValueId mirrored = m.Div(m.Num(kPi), b.Unary(UnaryKind::Tan, m.Mul(x, m.Num(kPi))));
  const ir::ValueId is_pole = b.Binary(schema::BinaryKind::Equal, x, b.Unary(UnaryKind::Floor, x));
  const ir::ValueId low = m.If(is_pole, m.Num(std::nan("")), m.Sub(high, mirrored));
  return m.If(is_negative, low, high);
}

// Numbers of one sign are in the order of their bits; next to 0 is the smallest number that there is.
ir::ValueId NextAfter(ir::Builder& b, ir::ValueId x, ir::ValueId y) {
  Math m(b);
  const auto integer = [&](int32_t v) { return b.Constant<int32_t>({}, {v}); };
  const ir::ValueId zero = m.Num(0);
  const ir::ValueId is_up = m.Less(x, y), is_zero = b.Binary(schema::BinaryKind::Equal, x, zero);
  const ir::ValueId grows = b.Binary(schema::BinaryKind::Xor, is_up, m.Less(x, zero));
  const ir::ValueId moved = m.Add(b.BitCast(x, DType::kInt32), m.If(grows, integer(1), integer(-1)));
  const ir::ValueId smallest = m.If(is_up, integer(1), integer(std::numeric_limits<int32_t>::min() + 1));
  const ir::ValueId next = b.BitCast(m.If(is_zero, smallest, moved), DType::kFloat32);
  const ir::ValueId is_there = b.Binary(schema::BinaryKind::Equal, x, y);
  const ir::ValueId is_number = b.Unary(UnaryKind::Not, b.Unary(UnaryKind::IsNaN, m.Add(x, y)));
  return m.If(is_number, m.If(is_there, y, next), m.Num(std::nan("")));
}

// In the first quadrant, from where the signs turn it. Equal sides, which may be zeros or infinities, have no
// quotient; the reciprocal of a zero tells its sign.
ir::ValueId Atan2(ir::Builder& b, ir::ValueId y, ir::ValueId x) {
  Typed m(b, x);
  const ir::ValueId zero = m.Num(0);
  const auto is_negative = [&](ir::ValueId v) {
    return b.Binary(schema::BinaryKind::Or, m.Less(v, zero), m.Less(m.Div(m.Num(1), v), zero));
  };
  const ir::ValueId width = m.Unary(UnaryKind::Abs, x), height = m.Unary(UnaryKind::Abs, y);
  const ir::ValueId diagonal = m.If(b.Binary(schema::BinaryKind::Equal, height, zero), zero, m.Num(kPi / 4));
  const ir::ValueId angle = m.If(b.Binary(schema::BinaryKind::Equal, height, width), diagonal,
                                 m.Unary(UnaryKind::Atan, m.Div(height, width)));
  const ir::ValueId turned = m.If(is_negative(x), m.Sub(m.Num(kPi), angle), angle);
  return m.If(is_negative(y), m.Unary(UnaryKind::Neg, turned), turned);
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
