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

Status Divide(const std::string& op, const Value& a, const Value& b, bool integers, Value* out) {
  const double x = a.AsDouble(), y = b.AsDouble();
  if (y == 0) return Invalid("division by zero");
  const bool wants_rest = op == "remainder";
  if (!integers) {
    const double quotient = std::floor(x / y);
    *out = Value::Float(wants_rest ? x - quotient * y : quotient);
  } else if (b.integer == -1) {
    *out = Value::Int(wants_rest ? 0 : Negative(a.integer));
  } else {
    const int64_t quotient = FloorDivide(a.integer, b.integer), rest = a.integer % b.integer;
    const bool is_other_sign = rest != 0 && (rest < 0) != (b.integer < 0);
    *out = Value::Int(!wants_rest ? quotient : is_other_sign ? rest + b.integer : rest);
  }
  return Status();
}

Value Power(double x, double y, bool integers) {
  const double power = std::pow(x, y);
  const bool is_exact = integers && y >= 0 && std::fabs(power) < 9.0e15;
  return is_exact ? Value::Int(static_cast<int64_t>(power)) : Value::Float(power);
}

bool TwoIntegers(const std::string& op, const Value& a, const Value& b, Value* out) {
  const int64_t i = a.integer, j = b.integer;
  const auto ui = static_cast<uint64_t>(i), uj = static_cast<uint64_t>(j);
  const bool are_bools = a.Is(Kind::kBool) && b.Is(Kind::kBool);
  const auto bits = [&](int64_t v) { return are_bools ? Value::Bool(v != 0) : Value::Int(v); };
  if (op == "add") {
    *out = Value::Int(Wrapped(ui + uj));
  } else if (op == "sub") {
    *out = Value::Int(Wrapped(ui - uj));
  } else if (op == "mul") {
    *out = Value::Int(Wrapped(ui * uj));
  } else if (op == "gcd" && i != INT64_MIN && j != INT64_MIN) {
    *out = Value::Int(std::gcd(i, j));
  } else if (op == "__and__") {
    *out = bits(i & j);
  } else if (op == "__or__") {
    *out = bits(i | j);
  } else if (op == "__xor__") {
    *out = bits(i ^ j);
  } else if (op == "__lshift__" && j >= 0 && j < 64) {
    *out = Value::Int(Wrapped(ui << j));
  } else if (op == "__rshift__" && j >= 0 && j < 64) {
    *out = Value::Int(i >> j);
  } else {
    return false;
  }
  return true;
}

Status TwoNumbers(const std::string& op, const Value& a, const Value& b, Value* out, bool* handled) {
  const double x = a.AsDouble(), y = b.AsDouble();
  const bool integers = !a.Is(Kind::kFloat) && !b.Is(Kind::kFloat);
  if (const Comparison compare = FindComparison(op)) {
    *out = Value::Bool(compare(x, y));
    return Status();
  }
  if (op == "floordiv" || op == "floor_divide" || op == "remainder") return Divide(op, a, b, integers, out);
  if (op == "divmod") {
    Value quotient, rest;
    MICRORT_RETURN_IF_ERROR(Divide("floordiv", a, b, integers, &quotient));
    MICRORT_RETURN_IF_ERROR(Divide("remainder", a, b, integers, &rest));
    *out = Value::Sequence(Kind::kTuple, {quotient, rest});
    return Status();
  }
  if (op == "div" && y == 0) return Invalid("division by zero");
  if (integers && TwoIntegers(op, a, b, out)) return Status();
  if (const Function2 function = FindFunction2(op)) {
    *out = Value::Float(function(x, y));
  } else if (op == "add" || op == "sub" || op == "mul") {
    *out = Value::Float(op == "add" ? x + y : op == "sub" ? x - y : x * y);
  } else if (op == "pow") {
    *out = Power(x, y, integers);
  } else if (op == "min" || op == "max") {
    *out = (op == "min") == (x <= y) ? a : b;
  } else {
    *handled = false;
  }
  return Status();
}

Status OneNumber(const std::string& op, const Value& a, Value* out, bool* handled) {
  const double x = a.AsDouble();
  const bool is_integer = !a.Is(Kind::kFloat);
  const bool rounds = op == "floor" || op == "ceil" || op == "trunc";
  if (op == "neg" || op == "abs") {
    const bool turns = op == "neg" || x < 0;
    *out = !turns ? a : is_integer ? Value::Int(Negative(a.integer)) : Value::Float(-x);
    if (is_integer && !turns) out->kind = Kind::kInt;
  } else if (rounds && is_integer) {
    *out = Value::Int(a.integer);
  } else if (rounds && FitsInt(x)) {
    *out = Value::Int(static_cast<int64_t>(op == "floor" ? std::floor(x) : op == "ceil" ? std::ceil(x) : x));
  } else if (op == "round") {
    *out = is_integer ? Value::Int(a.integer) : Value::Float(std::nearbyint(x));
  } else if (op == "isnan" || op == "isinf" || op == "isfinite") {
    *out = Value::Bool(op == "isnan" ? std::isnan(x) : op == "isinf" ? std::isinf(x) : std::isfinite(x));
  } else if (op == "factorial" && is_integer && x >= 0 && x <= 20) {
    *out = Value::Int(1);
    for (int64_t i = 2; i <= a.integer; ++i) out->integer *= i;
  } else if (op == "__not__") {
    *out = Value::Bool(x == 0);
  } else if (op == "__invert__" && is_integer) {
    *out = Value::Int(~a.integer);
  } else if (const Function1 function = FindFunction1(op)) {
    *out = Value::Float(function(x));
  } else {
    *handled = false;
  }
  return Status();
}

}  // namespace

Status NumberOp(const std::string& op, const Arguments& a, Value* out, bool* handled) {
  if (a.size() == 1) return OneNumber(op, a[0], out, handled);
  if (a.size() == 2 && IsPlainNumber(a[1])) return TwoNumbers(op, a[0], a[1], out, handled);
  *handled = false;
  return Status();
}

}  // namespace micrort::frontend::torchscript
