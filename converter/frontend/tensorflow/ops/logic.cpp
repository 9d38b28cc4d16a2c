// Comparisons, logic and bits; choosing by a condition.

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/tensorflow/registry.h"
#include "converter/lower/integers.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::BinaryKind;

// A condition of one dimension chooses among rows, whatever the rank of what is chosen.
Status ImportSelect(OpContext& c) {
  ir::ValueId condition = c.input(0);
  const int more = c.rank(1) - c.rank(0);
  if (c.rank(0) == 1 && more > 0) {
    condition = c.build.Along(condition, 0, c.rank(1));
  } else if (c.rank(0) != 0 && more != 0) {
    return Invalid("a condition of {} dimensions for tensors of {}", c.rank(0), c.rank(1));
  }
  return c.Return(c.build.Select({condition, c.input(1), c.input(2)}));
}

// TensorFlow's kernels clamp the number of bits to the range from 0 to one less than the type has.
template <BinaryKind kind>
Status ImportShift(OpContext& c) {
  return c.Return(c.build.Binary(kind, c.input(0), lower::ShiftInType(c.build, c.input(1))));
}

// How many bits of an integer are set.
Status ImportPopulationCount(OpContext& c) {
  const DType dtype = c.x().dtype;
  if (IsFloat(dtype) || dtype == DType::kBool) return Unsupported("of type {}", Name(dtype));
  std::vector<int64_t> masks;
  for (size_t i = 0; i < 8 * SizeOf(dtype); ++i) masks.push_back(static_cast<int64_t>(uint64_t{1} << i));
  const ir::ValueId wide = dtype == DType::kUInt64 ? c.build.BitCast(c.input(), DType::kInt64)
                                                   : c.build.As(c.input(), DType::kInt64);
  const ir::ValueId bits = c.build.BitwiseAnd(c.build.InsertDim(wide, c.rank()), c.build.Integers(masks));
  const ir::ValueId is_set =
      c.build.Cast(c.build.Not(c.build.Equal(bits, c.build.Integer(0))), DType::kInt32);
  const ir::ValueId count = c.build.Reduce(schema::ReduceKind::Sum, is_set, {c.rank()}, false);
  return c.Return(c.build.Cast(count, DType::kUInt8));
}

}  // namespace

const ImporterList LogicOps = {
    {"BitwiseAnd", 2, 2, ImportBinary<BinaryKind::BitwiseAnd>},
    {"BitwiseOr", 2, 2, ImportBinary<BinaryKind::BitwiseOr>},
    {"BitwiseXor", 2, 2, ImportBinary<BinaryKind::BitwiseXor>},
    {"Equal", 2, 2, ImportBinary<BinaryKind::Equal>},
    {"Greater", 2, 2, ImportBinary<BinaryKind::Greater>},
    {"GreaterEqual", 2, 2, ImportBinary<BinaryKind::GreaterOrEqual>},
    {"LeftShift", 2, 2, ImportShift<BinaryKind::ShiftLeft>},
    {"Less", 2, 2, ImportBinary<BinaryKind::Less>},
    {"LessEqual", 2, 2, ImportBinary<BinaryKind::LessOrEqual>},
    {"LogicalAnd", 2, 2, ImportBinary<BinaryKind::And>},
    {"LogicalOr", 2, 2, ImportBinary<BinaryKind::Or>},
    {"NotEqual", 2, 2, ImportNotEqual},
    {"PopulationCount", 1, 1, ImportPopulationCount},
    {"RightShift", 2, 2, ImportShift<BinaryKind::ShiftRight>},
    {"Select", 3, 3, ImportSelect},
    {"SelectV2", 3, 3, ImportChoice},
};

}  // namespace micrort::frontend::tensorflow
