// Numbers.

#include <cmath>
#include <map>
#include <numeric>

#include "converter/frontend/torchscript/plain_ops.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr double kPi = 3.14159265358979323846;

int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

// As a signed number of 64 bits does, without undefined behaviour.
int64_t Wrapped(uint64_t v) { return static_cast<int64_t>(v); }
int64_t Negative(int64_t v) { return Wrapped(0 - static_cast<uint64_t>(v)); }

bool FitsInt(double v) { return std::fabs(v) < 9.2e18; }

using Comparison = bool (*)(double, double);
using Function1 = double (*)(double);
using Function2 = double (*)(double, double);

template <class F>
F FindIn(const std::map<std::string, F>& table, const std::string& op) {
  const auto found = table.find(op);
  return found == table.end() ? nullptr : found->second;
}

Comparison FindComparison(const std::string& op) {
  static const std::map<std::string, Comparison> kOps = {
      {"eq", [](double p, double q) { return p == q; }}, {"ne", [](double p, double q) { return p != q; }},
      {"lt", [](double p, double q) { return p < q; }},  {"le", [](double p, double q) { return p <= q; }},
      {"gt", [](double p, double q) { return p > q; }},  {"ge", [](double p, double q) { return p >= q; }}};
  return FindIn(kOps, op);
}

// Those of Python's module math, which give a float for an integer, too.
Function1 FindFunction1(const std::string& op) {
  static const std::map<std::string, Function1> kOps = {{"acos", std::acos},
                                                        {"acosh", std::acosh},
                                                        {"asin", std::asin},
                                                        {"asinh", std::asinh},
                                                        {"atan", std::atan},
                                                        {"atanh", std::atanh},
                                                        {"cos", std::cos},
                                                        {"cosh", std::cosh},
                                                        {"erf", std::erf},
                                                        {"erfc", std::erfc},
                                                        {"exp", std::exp},
                                                        {"expm1", std::expm1},
                                                        {"fabs", std::fabs},
                                                        {"gamma", std::tgamma},
                                                        {"lgamma", std::lgamma},
                                                        {"log", std::log},
                                                        {"log10", std::log10},
                                                        {"log1p", std::log1p},
                                                        {"log2", std::log2},
                                                        {"sin", std::sin},
                                                        {"sinh", std::sinh},
                                                        {"sqrt", std::sqrt},
                                                        {"tan", std::tan},
                                                        {"tanh", std::tanh},
                                                        {"degrees", [](double v) { return v * 180 / kPi; }},
                                                        {"radians", [](double v) { return v * kPi / 180; }}};
  return FindIn(kOps, op);
}

Function2 FindFunction2(const std::string& op) {
  static const std::map<std::string, Function2> kOps = {
      {"atan2", std::atan2},
      {"copysign", std::copysign},
      {"div", [](double p, double q) { return p / q; }},
      {"fmod", std::fmod},
      {"log", [](double p, double base) { return std::log(p) / std::log(base); }},
      {"mathremainder", std::remainder}};
  return FindIn(kOps, op);
}

Result<Value> Divide(const std::string& op, const Value& a, const Value& b, bool integers) {
  const double x = a.AsDouble(), y = b.AsDouble();
  if (y == 0) return Invalid("division by zero");
  const bool wants_rest = op == "remainder";
  if (!integers) {
    const double quotient = std::floor(x / y);
    return Value::Float(wants_rest ? x - quotient * y : quotient);
  }
  if (b.integer == -1) return Value::Int(wants_rest ? 0 : Negative(a.integer));
  const int64_t quotient = FloorDivide(a.integer, b.integer), rest = a.integer % b.integer;
  const bool is_other_sign = rest != 0 && (rest < 0) != (b.integer < 0);
  return Value::Int(!wants_rest ? quotient : is_other_sign ? rest + b.integer : rest);
}

Value Power(double x, double y, bool integers) {
  const double power = std::pow(x, y);
  const bool is_exact = integers && y >= 0 && std::fabs(power) < 9.0e15;
  return is_exact ? Value::Int(static_cast<int64_t>(power)) : Value::Float(power);
}

std::optional<Value> TwoIntegers(const std::string& op, const Value& a, const Value& b) {
  const int64_t i = a.integer, j = b.integer;
  const auto ui = static_cast<uint64_t>(i), uj = static_cast<uint64_t>(j);
  const bool are_bools = a.Is(Kind::kBool) && b.Is(Kind::kBool);
  const auto bits = [&](int64_t v) { return are_bools ? Value::Bool(v != 0) : Value::Int(v); };
  if (op == "add") return Value::Int(Wrapped(ui + uj));
  if (op == "sub") return Value::Int(Wrapped(ui - uj));
  if (op == "mul") return Value::Int(Wrapped(ui * uj));
  if (op == "gcd" && i != INT64_MIN && j != INT64_MIN) return Value::Int(std::gcd(i, j));
  if (op == "__and__") return bits(i & j);
  if (op == "__or__") return bits(i | j);
  if (op == "__xor__") return bits(i ^ j);
  if (op == "__lshift__" && j >= 0 && j < 64) return Value::Int(Wrapped(ui << j));
  if (op == "__rshift__" && j >= 0 && j < 64) return Value::Int(i >> j);
  return std::nullopt;
}

Answer TwoNumbers(const std::string& op, const Value& a, const Value& b) {
  const double x = a.AsDouble(), y = b.AsDouble();
  const bool integers = !a.Is(Kind::kFloat) && !b.Is(Kind::kFloat);
  if (const Comparison compare = FindComparison(op)) return Value::Bool(compare(x, y));
  if (op == "floordiv" || op == "floor_divide" || op == "remainder") return Divide(op, a, b, integers);
  if (op == "divmod") {
    MICRORT_ASSIGN_OR_RETURN(const Value quotient, Divide("floordiv", a, b, integers));
    MICRORT_ASSIGN_OR_RETURN(const Value rest, Divide("remainder", a, b, integers));
    return Value::Sequence(Kind::kTuple, {quotient, rest});
  }
  if (op == "div" && y == 0) return Invalid("division by zero");
  if (integers) {
    if (std::optional<Value> exact = TwoIntegers(op, a, b)) return std::move(*exact);
  }
  if (const Function2 function = FindFunction2(op)) return Value::Float(function(x, y));
  if (op == "add") return Value::Float(x + y);
  if (op == "sub") return Value::Float(x - y);
  if (op == "mul") return Value::Float(x * y);
  if (op == "pow") return Power(x, y, integers);
  if (op == "min" || op == "max") return (op == "min") == (x <= y) ? a : b;
  return std::nullopt;
}

Value Magnitude(const Value& a, bool turns) {
  if (a.Is(Kind::kFloat)) return turns ? Value::Float(-a.number) : a;
  return Value::Int(turns ? Negative(a.integer) : a.integer);
}

Answer OneNumber(const std::string& op, const Value& a) {
  const double x = a.AsDouble();
  const bool is_integer = !a.Is(Kind::kFloat);
  const bool rounds = op == "floor" || op == "ceil" || op == "trunc";
  if (op == "neg" || op == "abs") return Magnitude(a, op == "neg" || x < 0);
  if (is_integer && (rounds || op == "round")) return Value::Int(a.integer);
  if (rounds && FitsInt(x))
    return Value::Int(static_cast<int64_t>(op == "floor" ? std::floor(x) : op == "ceil" ? std::ceil(x) : x));
  if (op == "round") return Value::Float(std::nearbyint(x));
  if (op == "isnan") return Value::Bool(std::isnan(x));
  if (op == "isinf") return Value::Bool(std::isinf(x));
  if (op == "isfinite") return Value::Bool(std::isfinite(x));
  if (op == "factorial" && is_integer && x >= 0 && x <= 20) {
    int64_t product = 1;
    for (int64_t i = 2; i <= a.integer; ++i) product *= i;
    return Value::Int(product);
  }
  if (op == "__not__") return Value::Bool(x == 0);
  if (op == "__invert__" && is_integer) return Value::Int(~a.integer);
  if (const Function1 function = FindFunction1(op)) return Value::Float(function(x));
  return std::nullopt;
}

}  // namespace

Answer NumberOp(const std::string& op, const Arguments& a) {
  if (a.size() == 1) return OneNumber(op, a[0]);
  if (a.size() == 2 && IsPlainNumber(a[1])) return TwoNumbers(op, a[0], a[1]);
  return std::nullopt;
}

}  // namespace micrort::frontend::torchscript
