// Arithmetic on two or more tensors; comparisons, logic and bits; choosing by a condition.

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/onnx/ops/broadcast.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;

Status CheckVariadic(const NodeContext& c) {
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (!c.has_input(i)) return Invalid("input {} is absent", i);
  }
  return Status();
}

template <BinaryKind kind>
Status ImportChain(NodeContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVariadic(c));
  return c.Return(Chain(c, kind));
}

Status ImportMean(NodeContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVariadic(c));
  const ir::ValueId sum = Chain(c, BinaryKind::Add);
  if (c.input_count() == 1) return c.Return(sum);
  const ir::ValueId n = c.Scalar(c.x().dtype, static_cast<float>(c.input_count()));
  return c.Return(c.build.Div(sum, n));
}

// From opset 12 the exponent may have a type of its own; the result has the base's.
Status ImportPow(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId exponent, AlignSecondInput(c));
  if (c.x(0).dtype == c.x(1).dtype) return c.Return(c.build.Pow(c.input(0), exponent));
  if (IsFloat(c.x(1).dtype) && !IsFloat(c.x(0).dtype)) {
    const ir::ValueId base = c.build.Cast(c.input(0), c.x(1).dtype);
    return c.Return(c.build.Cast(c.build.Pow(base, exponent), c.x(0).dtype));
  }
  exponent = c.build.Cast(exponent, c.x(0).dtype);
  return c.Return(c.build.Pow(c.input(0), exponent));
}

Status ImportMod(NodeContext& c) {
  const bool fmod = c.Int("fmod", 0) != 0;
  return c.Return(c.build.Binary(fmod ? BinaryKind::Fmod : BinaryKind::Mod, c.input(0), c.input(1)));
}

using schema::UnaryKind;

Status ImportIsInf(NodeContext& c) {
  const bool negative = c.Int("detect_negative", 1) != 0;
  const bool positive = c.Int("detect_positive", 1) != 0;
  const ir::ValueId infinite = c.build.IsInf(c.input(0));
  if (negative && positive) return c.Return(infinite);
  const BinaryKind side = negative ? BinaryKind::Less : BinaryKind::Greater;
  const ir::ValueId one_sided = c.build.Binary(side, c.input(0), c.Scalar(c.x().dtype, 0));
  ir::ValueId y = c.build.And(infinite, one_sided);
  if (!negative && !positive) y = c.build.And(y, c.build.Not(y));
  return c.Return(y);
}

Status ImportBitShift(NodeContext& c) {
  const std::string direction = c.String("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return Invalid("direction '{}': expected LEFT or RIGHT", direction);
  const BinaryKind kind = direction == "LEFT" ? BinaryKind::ShiftLeft : BinaryKind::ShiftRight;
  return c.Return(c.build.Binary(kind, c.input(0), c.input(1)));
}

}  // namespace

Result<ir::ValueId> AlignSecondInput(NodeContext& c) {
  if (c.opset() >= 7) return c.input(1);
  const int64_t broadcast = c.Int("broadcast", 0);
  const int rank_a = c.x(0).rank();
  const int rank_b = c.x(1).rank();
  const int64_t default_axis = rank_a - rank_b;
  const int64_t axis = c.Int("axis", default_axis);
  if (broadcast == 0 || rank_b == 0 || axis == default_axis) return c.input(1);
  if (axis < 0 || axis > default_axis) return Invalid("broadcast axis {} of {} dimensions", axis, rank_a);
  std::vector<int32_t> shape;
  for (int i = 0; i < rank_b; ++i) shape.push_back(-2 - i);
  shape.resize(static_cast<size_t>(rank_a - axis), 1);
  return c.build.Reshape(c.input(1), shape);
}

ir::ValueId Chain(NodeContext& c, schema::BinaryKind kind) {
  ir::ValueId y = c.input(0);
  for (size_t i = 1; i < c.input_count(); ++i) y = c.build.Binary(kind, y, c.input(i));
  return y;
}

const ImporterList ArithmeticImporters = {
    {"Add", 2, 2, ImportBinary<BinaryKind::Add>},
    {"Div", 2, 2, ImportBinary<BinaryKind::Div>},
    {"Max", 1, -1, ImportChain<BinaryKind::Max>},
    {"Mean", 1, -1, ImportMean},
    {"Min", 1, -1, ImportChain<BinaryKind::Min>},
    {"Mod", 2, 2, ImportMod},
    {"Mul", 2, 2, ImportBinary<BinaryKind::Mul>},
    {"Pow", 2, 2, ImportPow},
    {"Sub", 2, 2, ImportBinary<BinaryKind::Sub>},
    {"Sum", 1, -1, ImportChain<BinaryKind::Add>},
    {"And", 2, 2, ImportBinary<BinaryKind::And>},
    {"BitShift", 2, 2, ImportBitShift, Types(kUnsignedIntegers)},
    {"BitwiseAnd", 2, 2, ImportBinary<BinaryKind::BitwiseAnd>, Since(18)},
    {"BitwiseNot", 1, 1, ImportUnary<UnaryKind::BitwiseNot>, Since(18)},
    {"BitwiseOr", 2, 2, ImportBinary<BinaryKind::BitwiseOr>, Since(18)},
    {"BitwiseXor", 2, 2, ImportBinary<BinaryKind::BitwiseXor>, Since(18)},
    {"Equal", 2, 2, ImportBinary<BinaryKind::Equal>},
    {"Greater", 2, 2, ImportBinary<BinaryKind::Greater>},
    {"GreaterOrEqual", 2, 2, ImportBinary<BinaryKind::GreaterOrEqual>},
    {"IsInf", 1, 1, ImportIsInf},
    {"IsNaN", 1, 1, ImportUnary<UnaryKind::IsNaN>},
    {"Less", 2, 2, ImportBinary<BinaryKind::Less>},
    {"LessOrEqual", 2, 2, ImportBinary<BinaryKind::LessOrEqual>},
    {"Not", 1, 1, ImportUnary<UnaryKind::Not>},
    {"Or", 2, 2, ImportBinary<BinaryKind::Or>},
    {"Where", 3, 3, ImportChoice, Types(kAllTypes)},
    {"Xor", 2, 2, ImportBinary<BinaryKind::Xor>},
};

}  // namespace micrort::frontend::onnx
