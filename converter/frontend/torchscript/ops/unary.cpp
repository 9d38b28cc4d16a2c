// Functions of one number.

#include <cmath>

#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr double kDegrees = 57.295779513082321, kRadians = 1 / kDegrees;

// Functions give floats of integers.
ir::ValueId AsFloat(OpContext& c, ir::ValueId x) {
  const DType dtype = c.dtype(x);
  const bool is_float = dtype == DType::kFloat32 || dtype == DType::kFloat64 || dtype == DType::kFloat16 ||
                        dtype == DType::kBFloat16;
  return is_float ? x : c.build.Cast(x, DType::kFloat32);
}

#define MICRORT_FUNCTION(name) [](OpContext& c) { c.Return(c.Onnx(name, {AsFloat(c, c.TensorAt(0))})); }
// Integers are what they are rounded to.
#define MICRORT_ROUNDING(name)                                                         \
  [](OpContext& c) {                                                                   \
    const ir::ValueId x = c.TensorAt(0);                                               \
    c.Return(IsIntegerType(c.dtype(x)) ? c.Onnx("Identity", {x}) : c.Onnx(name, {x})); \
  }
#define MICRORT_KEEPING_TYPE(name) [](OpContext& c) { c.Return(c.Onnx(name, {c.TensorAt(0)})); }

void ImportRSqrt(OpContext& c) { c.Return(c.build.Reciprocal(c.build.Sqrt(AsFloat(c, c.TensorAt(0))))); }

void ImportLog1P(OpContext& c) { c.Return(Log1p(c.build, AsFloat(c, c.TensorAt(0)))); }
void ImportExpM1(OpContext& c) { c.Return(Expm1(c.build, AsFloat(c, c.TensorAt(0)))); }

void LogOfBase(OpContext& c, double base) {
  const ir::ValueId y = c.build.Log(AsFloat(c, c.TensorAt(0)));
  c.Return(c.build.Mul(y, c.Scalar(c.dtype(y), 1 / std::log(base))));
}

void ImportLog2(OpContext& c) { LogOfBase(c, 2); }
void ImportLog10(OpContext& c) { LogOfBase(c, 10); }

void ImportSquare(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  if (c.dtype(x) == DType::kBool) x = c.build.Cast(x, DType::kInt64);
  c.Return(c.build.Mul(x, x));
}

ir::ValueId TowardsZero(OpContext& c, ir::ValueId x) {
  if (IsIntegerType(c.dtype(x))) return c.Onnx("Identity", {x});
  const ir::ValueId is_negative = c.build.Less(x, c.Scalar(c.dtype(x), 0));
  return c.build.Select({is_negative, c.Onnx("Ceil", {x}), c.build.Floor(x)});
}

void ImportTrunc(OpContext& c) { c.Return(TowardsZero(c, c.TensorAt(0))); }

void ImportFraction(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(c.build.Sub(x, TowardsZero(c, x)));
}

void ImportBitwiseNot(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(c.Onnx(c.dtype(x) == DType::kBool ? "Not" : "BitwiseNot", {x}));
}

void ImportLogicalNot(OpContext& c) { c.Return(c.build.Not(c.CastTo(c.TensorAt(0), DType::kBool))); }

// (self, decimals)
void ImportRound(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const double unit = std::pow(10.0, static_cast<double>(c.Int(1, 0)));
  if (unit == 1) return c.Return(c.Onnx(IsIntegerType(c.dtype(x)) ? "Identity" : "Round", {x}));
  const ir::ValueId scale = c.Scalar(c.dtype(x), unit);
  c.Return(c.build.Div(c.build.Round(c.build.Mul(x, scale)), scale));
}

void ImportErfC(OpContext& c) { c.Return(Erfc(c.build, AsFloat(c, c.TensorAt(0)))); }

template <const double& factor>
void ImportTimes(OpContext& c) {
  const ir::ValueId x = AsFloat(c, c.TensorAt(0));
  c.Return(c.build.Mul(x, c.Scalar(c.dtype(x), factor)));
}

void ImportExp2(OpContext& c) {
  const ir::ValueId x = AsFloat(c, c.TensorAt(0));
  c.Return(c.build.Exp(c.build.Mul(x, c.Scalar(c.dtype(x), std::log(2.0)))));
}

void ImportIsFinite(OpContext& c) {
  const ir::ValueId x = AsFloat(c, c.TensorAt(0));
  c.Return(c.build.Not(c.Onnx("Or", {c.Onnx("IsInf", {x}), c.build.IsNaN(x)})));
}

}  // namespace

const ImporterList UnaryOps = {
    {"__not__", "self", ImportLogicalNot},
    {"acos", "self", MICRORT_FUNCTION("Acos")},
    {"acosh", "self", MICRORT_FUNCTION("Acosh")},
    {"asin", "self", MICRORT_FUNCTION("Asin")},
    {"asinh", "self", MICRORT_FUNCTION("Asinh")},
    {"atan", "self", MICRORT_FUNCTION("Atan")},
    {"atanh", "self", MICRORT_FUNCTION("Atanh")},
    {"bitwise_not", "self", ImportBitwiseNot},
    {"ceil", "self", MICRORT_ROUNDING("Ceil")},
    {"cos", "self", MICRORT_FUNCTION("Cos")},
    {"cosh", "self", MICRORT_FUNCTION("Cosh")},
    {"deg2rad", "self", ImportTimes<kRadians>},
    {"erf", "self", MICRORT_FUNCTION("Erf")},
    {"erfc", "self", ImportErfC},
    {"exp", "self", MICRORT_FUNCTION("Exp")},
    {"exp2", "self", ImportExp2},
    {"expm1", "self", ImportExpM1},
    {"floor", "self", MICRORT_ROUNDING("Floor")},
    {"frac", "self", ImportFraction},
    {"isfinite", "self", ImportIsFinite},
    {"isinf", "self", MICRORT_FUNCTION("IsInf")},
    {"isnan", "self", MICRORT_FUNCTION("IsNaN")},
    {"log", "self", MICRORT_FUNCTION("Log")},
    {"log10", "self", ImportLog10},
    {"log1p", "self", ImportLog1P},
    {"log2", "self", ImportLog2},
    {"logical_not", "self", ImportLogicalNot},
    {"neg", "self", MICRORT_KEEPING_TYPE("Neg")},
    {"negative", "self", MICRORT_KEEPING_TYPE("Neg")},
    {"rad2deg", "self", ImportTimes<kDegrees>},
    {"reciprocal", "self", MICRORT_FUNCTION("Reciprocal")},
    {"round", "self decimals", ImportRound},
    {"rsqrt", "self", ImportRSqrt},
    {"sgn", "self", MICRORT_KEEPING_TYPE("Sign")},
    {"sign", "self", MICRORT_KEEPING_TYPE("Sign")},
    {"sin", "self", MICRORT_FUNCTION("Sin")},
    {"sinh", "self", MICRORT_FUNCTION("Sinh")},
    {"sqrt", "self", MICRORT_FUNCTION("Sqrt")},
    {"square", "self", ImportSquare},
    {"tan", "self", MICRORT_FUNCTION("Tan")},
    {"trunc", "self", ImportTrunc},
};

#undef MICRORT_FUNCTION
#undef MICRORT_ROUNDING
#undef MICRORT_KEEPING_TYPE

}  // namespace micrort::frontend::torchscript
