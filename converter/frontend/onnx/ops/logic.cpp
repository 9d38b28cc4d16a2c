// Comparisons, logic and bits; choosing by a condition.

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/onnx/ops/broadcast.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;
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

const ImporterList LogicImporters = {
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
