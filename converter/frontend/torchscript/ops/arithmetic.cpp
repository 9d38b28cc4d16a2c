// Arithmetic, comparisons and logic on two tensors, or a tensor and a number.

#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"
#include "converter/lower/integers.h"

namespace micrort::frontend::torchscript {

namespace {

// As ONNX's operator on both arguments in one type.
#define MICRORT_ON_TWO(name) [](OpContext& c) { c.Return(c.Onnx(name, Promoted(c, {c.arg(0), c.arg(1)}))); }

ir::ValueId TimesAlpha(OpContext& c, ir::ValueId x) {
  const double alpha = c.Float(2, 1);
  return alpha == 1 ? x : c.build.Mul(x, c.Scalar(c.dtype(x), alpha));
}

// (self, other, alpha)
void ImportAdd(OpContext& c) {
  const std::vector<ir::ValueId> x = PromotedWithNumber(c);
  if (c.dtype(x[0]) == DType::kBool) {
    c.Return(c.Onnx("Or", x));
    return;
  }
  c.Return(c.build.Add(x[0], TimesAlpha(c, x[1])));
}

void ImportSub(OpContext& c) {
  const std::vector<ir::ValueId> x = PromotedWithNumber(c);
  c.Return(c.build.Sub(x[0], TimesAlpha(c, x[1])));
}

void ImportRSub(OpContext& c) {
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1)});
  c.Return(c.build.Sub(x[1], TimesAlpha(c, x[0])));
}

void ImportMul(OpContext& c) {
  const std::vector<ir::ValueId> x = PromotedWithNumber(c);
  c.Return(c.Onnx(c.dtype(x[0]) == DType::kBool ? "And" : "Mul", x));
}

// The remainder, which has the divisor's sign, goes first, so that the division has none: a quotient of
// floats may be rounded up to the next integer (1 / 0.1).
ir::ValueId FloorOfQuotient(OpContext& c, ir::ValueId a, ir::ValueId b) {
  if (IsIntegerType(c.dtype(a))) return lower::FloorQuotient(c.build, a, b);
  const ir::ValueId whole = c.build.Sub(a, c.build.Mod(a, b));
  const ir::ValueId quotient = c.build.Div(whole, b);
  const ir::ValueId by_zero = c.build.Equal(b, c.Scalar(c.dtype(b), 0));
  return c.build.Select({by_zero, c.build.Div(a, b), c.build.Round(quotient)});
}

ir::ValueId TruncatedQuotient(OpContext& c, ir::ValueId a, ir::ValueId b) {
  const ir::ValueId q = c.build.Div(a, b);
  if (IsIntegerType(c.dtype(a))) return q;
  const ir::ValueId is_negative = c.build.Less(q, c.Scalar(c.dtype(q), 0));
  return c.build.Select({is_negative, c.Onnx("Ceil", {q}), c.build.Floor(q)});
}

// (self, other, rounding_mode)
void ImportDiv(OpContext& c) {
  const std::string mode = c.String(2, "");
  std::vector<ir::ValueId> x = c.Has(2) ? Promoted(c, {c.arg(0), c.arg(1)}) : PromotedWithNumber(c);
  if (mode == "floor") {
    c.Return(FloorOfQuotient(c, x[0], x[1]));
  } else if (mode == "trunc") {
    c.Return(TruncatedQuotient(c, x[0], x[1]));
  } else {
    if (!IsFloatType(c.dtype(x[0])))
      x = {c.build.Cast(x[0], DType::kFloat32), c.build.Cast(x[1], DType::kFloat32)};
    c.Return(c.Onnx("Div", x));
  }
}

void ImportFloorDivide(OpContext& c) {
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1)});
  c.Return(FloorOfQuotient(c, x[0], x[1]));
}

void ImportRemainder(OpContext& c) {
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1)});
  c.Return(c.build.Mod(x[0], x[1]));
}

void ImportFMod(OpContext& c) {
  c.Return(c.Onnx("Mod", Promoted(c, {c.arg(0), c.arg(1)}), {{"fmod", int64_t{1}}}));
}

void ImportNotEqual(OpContext& c) {
  c.Return(c.build.Not(c.Onnx("Equal", Promoted(c, {c.arg(0), c.arg(1)}))));
}

ir::ValueId Truth(OpContext& c, size_t i) { return c.CastTo(c.TensorAt(i), DType::kBool); }

void ImportLogicalAnd(OpContext& c) { c.Return(c.Onnx("And", {Truth(c, 0), Truth(c, 1)})); }
void ImportLogicalOr(OpContext& c) { c.Return(c.Onnx("Or", {Truth(c, 0), Truth(c, 1)})); }
void ImportLogicalXor(OpContext& c) { c.Return(c.Onnx("Xor", {Truth(c, 0), Truth(c, 1)})); }

void OnBits(OpContext& c, const char* on_bools, const char* on_integers) {
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1)});
  c.Return(c.Onnx(c.dtype(x[0]) == DType::kBool ? on_bools : on_integers, x));
}

void ImportBitwiseAnd(OpContext& c) { OnBits(c, "And", "BitwiseAnd"); }
void ImportBitwiseOr(OpContext& c) { OnBits(c, "Or", "BitwiseOr"); }
void ImportBitwiseXor(OpContext& c) { OnBits(c, "Xor", "BitwiseXor"); }

// (self, tensor1, tensor2, value)
template <bool divides>
void ImportAddProduct(OpContext& c) {
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1), c.arg(2)});
  ir::ValueId product = c.Onnx(divides ? "Div" : "Mul", {x[1], x[2]});
  const double factor = c.Float(3, 1);
  if (factor != 1) product = c.build.Mul(product, c.Scalar(c.dtype(product), factor));
  c.Return(c.build.Add(x[0], product));
}

// (start, end, weight)
void ImportLerp(OpContext& c) {
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1), c.arg(2)});
  c.Return(c.build.Add(x[0], c.build.Mul(x[2], c.build.Sub(x[1], x[0]))));
}

// (y, x)
void ImportAtan2(OpContext& c) {
  std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1)});
  if (!IsFloatType(c.dtype(x[0]))) x = {c.CastTo(x[0], DType::kFloat32), c.CastTo(x[1], DType::kFloat32)};
  c.Return(Atan2(c.build, x[0], x[1]));
}

constexpr char kTwo[] = "self other";
constexpr char kWithAlpha[] = "self other alpha";

}  // namespace

const ImporterList ArithmeticOps = {
    {"__and__", kTwo, ImportBitwiseAnd},
    {"__or__", kTwo, ImportBitwiseOr},
    {"__xor__", kTwo, ImportBitwiseXor},
    {"add", kWithAlpha, ImportAdd},
    {"addcdiv", "self tensor1 tensor2 value", ImportAddProduct<true>},
    {"addcmul", "self tensor1 tensor2 value", ImportAddProduct<false>},
    {"atan2", kTwo, ImportAtan2},
    {"bitwise_and", kTwo, ImportBitwiseAnd},
    {"bitwise_or", kTwo, ImportBitwiseOr},
    {"bitwise_xor", kTwo, ImportBitwiseXor},
    {"div", "self other rounding_mode", ImportDiv},
    {"divide", "self other rounding_mode", ImportDiv},
    {"eq", kTwo, MICRORT_ON_TWO("Equal")},
    {"floor_divide", kTwo, ImportFloorDivide},
    {"fmod", kTwo, ImportFMod},
    {"ge", kTwo, MICRORT_ON_TWO("GreaterOrEqual")},
    {"greater", kTwo, MICRORT_ON_TWO("Greater")},
    {"gt", kTwo, MICRORT_ON_TWO("Greater")},
    {"le", kTwo, MICRORT_ON_TWO("LessOrEqual")},
    {"lerp", "self end weight", ImportLerp},
    {"less", kTwo, MICRORT_ON_TWO("Less")},
    {"logical_and", kTwo, ImportLogicalAnd},
    {"logical_or", kTwo, ImportLogicalOr},
    {"logical_xor", kTwo, ImportLogicalXor},
    {"lt", kTwo, MICRORT_ON_TWO("Less")},
    {"maximum", kTwo, MICRORT_ON_TWO("Max")},
    {"minimum", kTwo, MICRORT_ON_TWO("Min")},
    {"mul", kTwo, ImportMul},
    {"multiply", kTwo, ImportMul},
    {"ne", kTwo, ImportNotEqual},
    {"pow", kTwo, MICRORT_ON_TWO("Pow")},
    {"remainder", kTwo, ImportRemainder},
    {"rsub", kWithAlpha, ImportRSub},
    {"sub", kWithAlpha, ImportSub},
    {"subtract", kWithAlpha, ImportSub},
    {"true_divide", kTwo, ImportDiv},
};

#undef MICRORT_ON_TWO

}  // namespace micrort::frontend::torchscript
