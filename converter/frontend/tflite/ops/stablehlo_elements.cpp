// Operators that came from StableHLO, element by element.

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/tflite/ops/stablehlo_options.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

using schema::BinaryKind;
using schema::UnaryKind;

// Imports it for truth values, or for bits.
template <BinaryKind kOfBools, BinaryKind kOfBits>
Status ImportHloLogical(OpContext& c) {
  return c.Return(c.build.Binary(c.x().dtype == DType::kBool ? kOfBools : kOfBits, c.input(0), c.input(1)));
}

Status ImportHloCbrt(OpContext& c) {
  const ir::ValueId root = c.build.Pow(c.build.Abs(c.input(0)), c.Scalar(c.x().dtype, 1.0f / 3));
  return c.Return(c.build.Mul(c.build.Sign(c.input(0)), root));
}

// inputs: lowest, x, highest
Status ImportHloClamp(OpContext& c) {
  const ir::ValueId above = c.build.Max(c.input(1), c.input(0));
  return c.Return(c.build.Min(above, c.input(2)));
}

// The output's tensor says to what.
Status ImportHloConvert(OpContext& c) { return c.Return(c.input(0)); }

Status ImportHloCompare(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloCompareOptionsT>();
  const bool in_total = o.compare_type == kTotalOrder && c.x().dtype == DType::kFloat32;
  const ir::ValueId a = in_total ? TotalOrderOf(c, c.input(0)) : c.input(0);
  const ir::ValueId b = in_total ? TotalOrderOf(c, c.input(1)) : c.input(1);
  const auto compared = [&](BinaryKind kind) { return c.build.Binary(kind, a, b); };
  switch (o.comparison_direction) {
    case fb::StablehloComparisonDirection::Equal:
      return c.Return(compared(BinaryKind::Equal));
    case fb::StablehloComparisonDirection::NotEqual:
      return c.Return(c.build.Not(compared(BinaryKind::Equal)));
    case fb::StablehloComparisonDirection::GreaterOrEqual:
      return c.Return(compared(BinaryKind::GreaterOrEqual));
    case fb::StablehloComparisonDirection::Greater:
      return c.Return(compared(BinaryKind::Greater));
    case fb::StablehloComparisonDirection::LessOrEqual:
      return c.Return(compared(BinaryKind::LessOrEqual));
    case fb::StablehloComparisonDirection::Less:
      return c.Return(compared(BinaryKind::Less));
  }
  return Invalid("an unknown comparison");
}

constexpr TypeSet kElements = kFloat32 | kIntegers;

}  // namespace

const ImporterList StablehloElementImporters = {
    {"STABLEHLO_ABS", 1, 1, ImportUnary<UnaryKind::Abs>, Types(kElements)},
    {"STABLEHLO_ADD", 2, 2, ImportBinary<BinaryKind::Add>, Types(kElements)},
    {"STABLEHLO_AND", 2, 2, ImportHloLogical<BinaryKind::And, BinaryKind::BitwiseAnd>,
     Types(kIntegers | kBool)},
    {"STABLEHLO_CBRT", 1, 1, ImportHloCbrt, Types(kFloat32)},
    {"STABLEHLO_CLAMP", 3, 3, ImportHloClamp, Types(kElements)},
    {"STABLEHLO_COMPARE", 2, 2, ImportHloCompare, Types(kAllTypes)},
    {"STABLEHLO_CONVERT", 1, 1, ImportHloConvert, Types(kAllTypes)},
    {"STABLEHLO_COSINE", 1, 1, ImportUnary<UnaryKind::Cos>, Types(kFloat32)},
    {"STABLEHLO_DIVIDE", 2, 2, ImportBinary<BinaryKind::Div>, Types(kElements)},
    {"STABLEHLO_EXPONENTIAL", 1, 1, ImportUnary<UnaryKind::Exp>, Types(kFloat32)},
    {"STABLEHLO_FLOOR", 1, 1, ImportUnary<UnaryKind::Floor>, Types(kFloat32)},
    {"STABLEHLO_LOG", 1, 1, ImportUnary<UnaryKind::Log>, Types(kFloat32)},
    {"STABLEHLO_LOGISTIC", 1, 1, ImportUnary<UnaryKind::Sigmoid>, Types(kFloat32)},
    {"STABLEHLO_MAXIMUM", 2, 2, ImportBinary<BinaryKind::Max>, Types(kElements)},
    {"STABLEHLO_MINIMUM", 2, 2, ImportBinary<BinaryKind::Min>, Types(kElements)},
    {"STABLEHLO_MULTIPLY", 2, 2, ImportBinary<BinaryKind::Mul>, Types(kElements)},
    {"STABLEHLO_NEGATE", 1, 1, ImportUnary<UnaryKind::Neg>, Types(kElements)},
    {"STABLEHLO_OR", 2, 2, ImportHloLogical<BinaryKind::Or, BinaryKind::BitwiseOr>, Types(kIntegers | kBool)},
    {"STABLEHLO_POWER", 2, 2, ImportBinary<BinaryKind::Pow>, Types(kElements)},
    {"STABLEHLO_REMAINDER", 2, 2, ImportBinary<BinaryKind::Fmod>, Types(kElements)},
    {"STABLEHLO_RSQRT", 1, 1, ImportRsqrt, Types(kFloat32)},
    {"STABLEHLO_SELECT", 3, 3, ImportChoice, Types(kBool)},
    {"STABLEHLO_SHIFT_LEFT", 2, 2, ImportBinary<BinaryKind::ShiftLeft>, Types(kIntegers)},
    {"STABLEHLO_SUBTRACT", 2, 2, ImportBinary<BinaryKind::Sub>, Types(kElements)},
    {"STABLEHLO_TANH", 1, 1, ImportUnary<UnaryKind::Tanh>, Types(kFloat32)},
};

}  // namespace micrort::frontend::tflite
