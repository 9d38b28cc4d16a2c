// Operators that compute element by element, and reductions: with the values of shape computations.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "converter/ir/size/size_function.h"
#include "kernels/base/checked_math.h"

namespace micrort::ir::size {

using schema::BinaryKind;
using schema::ReduceKind;
using schema::UnaryKind;

namespace {

Number Add(const Number& a, const Number& b, int64_t sign) {
  int64_t denominator = 0;
  if (!CheckedMul(a.denominator, b.denominator / std::gcd(a.denominator, b.denominator), &denominator))
    return {};
  return Number(a.numerator * Expr(denominator / a.denominator) +
                    Expr(sign) * b.numerator * Expr(denominator / b.denominator),
                denominator);
}

Number Multiply(const Number& a, const Number& b) {
  int64_t denominator = 0;
  if (!CheckedMul(a.denominator, b.denominator, &denominator)) return {};
  return Number(a.numerator * b.numerator, denominator);
}

// The floor of an integer division is what truncation gives where nothing is negative.
Expr Truncated(const Expr& a, const Expr& b) {
  const Range n = a.range(), d = b.range();
  if (d.least < 0 || (!b.constant() && a.is_unknown())) return Expr::Unknown();
  if (n.least >= 0) return FloorDiv(a, b);
  if (!b.constant() || *b.constant() <= 0) return Expr::Unknown();
  return Choose(IsNonNegative(a), FloorDiv(a, b), -FloorDiv(-a, b));
}

Number Divided(const Number& a, const Number& b, bool is_float) {
  if (!is_float) return Truncated(a.integer(), b.integer());
  const std::optional<int64_t> divisor = b.numerator.constant();
  if (!divisor || *divisor == 0) {
    const std::optional<Expr> exact = Divide(a.numerator, b.numerator);
    return exact ? Number(*exact * Expr(b.denominator), a.denominator) : Number();
  }
  int64_t denominator = 0;
  const int64_t sign = *divisor < 0 ? -1 : 1;
  if (*divisor == INT64_MIN || !CheckedMul(a.denominator, sign * *divisor, &denominator)) return {};
  return Number(a.numerator * Expr(sign * b.denominator), denominator);
}

// a - b, times something positive.
Expr Difference(const Number& a, const Number& b) { return Add(a, b, -1).numerator; }

Number Chosen(const Expr& condition, const Number& a, const Number& b) {
  if (condition.is(1)) return a;
  if (condition.is(0)) return b;
  if (condition.is_unknown()) return a == b ? a : Number();
  return Add(b, Multiply(condition, Add(a, b, -1)), 1);
}

Number Larger(const Number& a, const Number& b) {
  return Add(b, Number(Max(Difference(a, b), 0), Add(a, b, -1).denominator), 1);
}

Number Smaller(const Number& a, const Number& b) {
  return Add(a, Number(Max(Difference(a, b), 0), Add(a, b, -1).denominator), -1);
}

Expr Or(const Expr& a, const Expr& b) { return a + b - a * b; }

// Python's and ONNX's: the sign of the divisor.
Expr Remainder(const Expr& a, const Expr& b) {
  return b.constant() && *b.constant() > 0 ? Modulo(a, b) : Expr::Unknown();
}

// 2^bits, for a number of bits that is constant.
Expr PowerOfTwo(const Expr& bits) {
  const std::optional<int64_t> n = bits.constant();
  return n && *n >= 0 && *n < 63 ? Expr(int64_t{1} << *n) : Expr::Unknown();
}

Number Combined(BinaryKind kind, const Number& a, const Number& b, bool is_float) {
  const Expr difference = Difference(a, b);
  switch (kind) {
    case BinaryKind::Add:
      return Add(a, b, 1);
    case BinaryKind::Sub:
      return Add(a, b, -1);
    case BinaryKind::Mul:
      return Multiply(a, b);
    case BinaryKind::Div:
      return Divided(a, b, is_float);
    case BinaryKind::Max:
      return Larger(a, b);
    case BinaryKind::Min:
      return Smaller(a, b);
    case BinaryKind::Mod:
      return is_float ? Number() : Number(Remainder(a.integer(), b.integer()));
    case BinaryKind::Fmod: {
      const bool positive = !is_float && a.integer().range().least >= 0;
      return positive ? Number(Remainder(a.integer(), b.integer())) : Number();
    }
    case BinaryKind::ShiftLeft:
      return Multiply(a, Number(PowerOfTwo(b.integer())));
    case BinaryKind::ShiftRight:
      return Number(FloorDiv(a.integer(), PowerOfTwo(b.integer())));
    case BinaryKind::Equal:
      return IsZero(difference);
    case BinaryKind::Less:
      return Expr(1) - IsNonNegative(difference);
    case BinaryKind::LessOrEqual:
      return IsNonNegative(-difference);
    case BinaryKind::Greater:
      return Expr(1) - IsNonNegative(-difference);
    case BinaryKind::GreaterOrEqual:
      return IsNonNegative(difference);
    case BinaryKind::And:
      return a.integer() * b.integer();
    case BinaryKind::Or:
      return Or(a.integer(), b.integer());
    case BinaryKind::Xor:
      return a.integer() + b.integer() - Expr(2) * a.integer() * b.integer();
    default:
      return {};
  }
}

Number Rounded(const Number& x) {
  // Halves go to even numbers: only fractions without halves round as their floors do.
  if (x.denominator == 1) return x;
  if (x.denominator % 2 == 0) return {};
  return FloorDiv(Expr(2) * x.numerator + Expr(x.denominator), 2 * x.denominator);
}

Number Of(const schema::UnaryOptionsT& o, const Number& x) {
  switch (o.kind) {
    case UnaryKind::Identity:
      return x;
    case UnaryKind::Neg:
      return Number(-x.numerator, x.denominator);
    case UnaryKind::Abs:
      return Number(x.numerator + Expr(2) * Max(-x.numerator, 0), x.denominator);
    case UnaryKind::Sign:
      return Number(IsNonNegative(x.numerator) + IsNonNegative(x.numerator - 1) - 1);
    case UnaryKind::Floor:
      return FloorDiv(x.numerator, x.denominator);
    case UnaryKind::Ceil:
      return CeilDiv(x.numerator, x.denominator);
    case UnaryKind::Round:
      return Rounded(x);
    case UnaryKind::Not:
      return Expr(1) - x.integer();
    case UnaryKind::Clip: {
      // Bounds are floats; those that are whole numbers of a size are followed.
      Number y = x;
      if (o.a > -0x1p31f) {
        if (o.a != std::floor(o.a) || !(o.a < 0x1p31f)) return {};
        y = Larger(y, Expr(static_cast<int64_t>(o.a)));
      }
      if (o.b < 0x1p31f) {
        if (o.b != std::floor(o.b) || !(o.b > -0x1p31f)) return {};
        y = Smaller(y, Expr(static_cast<int64_t>(o.b)));
      }
      return y;
    }
    default:
      return {};
  }
}

using Index = std::vector<int64_t>;

// The element of an operand that is broadcast to a shape.
Number ElementAt(const SizedTensor& t, const Index& at) {
  int64_t flat = 0;
  const size_t skip = at.size() - t.shape.size();
  for (size_t d = 0; d < t.shape.size(); ++d) {
    const int64_t size = *t.shape[d].constant();
    flat = flat * size + (size == 1 ? 0 : at[skip + d]);
  }
  return (*t.values)[static_cast<size_t>(flat)];
}

// Calls `function` with the elements of all inputs, broadcast to the shape of output 0.
template <typename Function>
void SetValues(SizeCall& call, size_t inputs, Function function) {
  const std::optional<int64_t> count = call.out().elements();
  if (!count || *count > kMaxValues) return;
  for (size_t i = 0; i < inputs; ++i) {
    if (call.values(i) == nullptr || call.in(i).elements() != static_cast<int64_t>(call.values(i)->size()))
      return;
    for (size_t d = 0; d < call.in(i).shape.size(); ++d) {
      const Expr from = call.dim(i, -1 - static_cast<int>(d)),
                 to = call.out().shape[call.out().shape.size() - 1 - d];
      if (!from.is(1) && from != to) return;
    }
  }
  Numbers values, elements(inputs);
  Index at(call.out().shape.size(), 0);
  for (int64_t k = 0; k < *count; ++k) {
    for (size_t i = 0; i < inputs; ++i) elements[i] = ElementAt(call.in(i), at);
    values.push_back(function(elements));
    for (size_t d = at.size(); d-- > 0 && ++at[d] == *call.out().shape[d].constant();) at[d] = 0;
  }
  call.out().values = std::move(values);
}

bool IsComparison(BinaryKind kind) { return kind >= BinaryKind::Equal && kind <= BinaryKind::Xor; }

}  // namespace

Status SizesOfUnary(SizeCall& call) {
  if (!call.has(0)) return Status();
  const auto o = call.options<schema::UnaryOptionsT>();
  call.out().SetShape(call.in(0).shape);
  call.out().is_float = call.in(0).is_float && o.kind != UnaryKind::IsNaN && o.kind != UnaryKind::IsInf;
  SetValues(call, 1, [&](const Numbers& x) { return Of(o, x[0]); });
  return Status();
}

Status SizesOfBinary(SizeCall& call) {
  if (!call.has(0) || !call.has(1)) return Status();
  const auto o = call.options<schema::BinaryOptionsT>();
  std::vector<Expr> shape;
  MICRORT_RETURN_IF_ERROR(call.BroadcastTo(call.in(0).shape, call.in(1).shape, &shape));
  call.out().SetShape(std::move(shape));
  const bool is_float = call.in(0).is_float || call.in(1).is_float;
  call.out().is_float = is_float && !IsComparison(o.kind);
  if (o.activation.kind() != schema::ActivationKind::None) return Status();
  SetValues(call, 2, [&](const Numbers& x) { return Combined(o.kind, x[0], x[1], is_float); });
  return Status();
}

Status SizesOfSelect(SizeCall& call) {
  if (!call.has(0) || !call.has(1) || !call.has(2)) return Status();
  std::vector<Expr> shape;
  MICRORT_RETURN_IF_ERROR(call.BroadcastTo(call.in(1).shape, call.in(2).shape, &shape));
  MICRORT_RETURN_IF_ERROR(call.BroadcastTo(call.in(0).shape, shape, &shape));
  call.out().SetShape(std::move(shape));
  call.out().is_float = call.in(1).is_float;
  SetValues(call, 3, [](const Numbers& x) { return Chosen(x[0].integer(), x[1], x[2]); });
  return Status();
}

namespace {

bool IsInteger(DType dtype) { return dtype == DType::kInt64 || dtype == DType::kInt32; }

// To an integer, towards zero.
Number ToInteger(const Number& x) {
  if (x.denominator == 1) return x;
  if (x.numerator.range().least >= 0) return FloorDiv(x.numerator, x.denominator);
  return Choose(IsNonNegative(x.numerator), FloorDiv(x.numerator, x.denominator),
                -FloorDiv(-x.numerator, x.denominator));
}

}  // namespace

Status SizesOfCast(SizeCall& call) {
  if (!call.has(0)) return Status();
  const DType to = call.output_dtype();
  call.out().SetShape(call.in(0).shape);
  call.out().is_float = IsFloat(to);
  if (call.options<schema::CastOptionsT>().reinterpret || call.values(0) == nullptr) return Status();
  const bool from_float = call.in(0).is_float;
  SetValues(call, 1, [&](const Numbers& x) {
    if (to == DType::kFloat32 || to == DType::kFloat64) return x[0];
    if (IsInteger(to)) return from_float ? ToInteger(x[0]) : x[0];
    return to == DType::kBool ? Number(Expr(1) - IsZero(x[0].numerator)) : Number();
  });
  return Status();
}

Status SizesOfReduce(SizeCall& call) {
  if (!call.has(0)) return Status();
  const auto o = call.options<schema::ReduceOptionsT>();
  const int rank = call.rank(0);
  std::vector<bool> reduced(static_cast<size_t>(rank), false);
  if (call.has(1)) {
    const Numbers* axes = call.values(1);
    if (axes == nullptr) return Status();
    for (const Number& axis : *axes) {
      const std::optional<int64_t> at = axis.integer().constant();
      const int64_t place = at ? (*at < 0 ? *at + rank : *at) : -1;
      if (place < 0 || place >= rank) return Status();
      reduced[static_cast<size_t>(place)] = true;
    }
  } else {
    for (const int32_t axis : o.axes) {
      if (axis < 0 || axis >= rank) return Status();
      reduced[static_cast<size_t>(axis)] = true;
    }
  }
  const bool is_index = o.kind == ReduceKind::ArgMax || o.kind == ReduceKind::ArgMin;
  std::vector<Expr> shape;
  for (size_t d = 0; d < reduced.size(); ++d) {
    if (!reduced[d]) shape.push_back(call.in(0).shape[d]);
    if (reduced[d] && o.keep_dims) shape.push_back(1);
    if (reduced[d] && is_index) call.NeedAtMost(1, call.in(0).shape[d]);
  }
  call.out().SetShape(std::move(shape));
  call.out().is_float = call.in(0).is_float && !is_index;
  const Numbers* x = call.values(0);
  // The sum of all elements, to one.
  if (x == nullptr || x->empty() || rank != 1 || !reduced[0] || is_index) return Status();
  Number sum = (*x)[0];
  for (size_t i = 1; i < x->size(); ++i) {
    switch (o.kind) {
      case ReduceKind::Sum:
        sum = Add(sum, (*x)[i], 1);
        break;
      case ReduceKind::Prod:
        sum = Multiply(sum, (*x)[i]);
        break;
      case ReduceKind::Max:
        sum = Larger(sum, (*x)[i]);
        break;
      case ReduceKind::Min:
        sum = Smaller(sum, (*x)[i]);
        break;
      default:
        return Status();
    }
  }
  const bool is_followed = o.kind == ReduceKind::Sum || o.kind == ReduceKind::Prod ||
                           o.kind == ReduceKind::Max || o.kind == ReduceKind::Min;
  if (is_followed) call.out().values = Numbers{sum};
  return Status();
}

}  // namespace micrort::ir::size
