// Comparisons, logic and bits; choosing by a condition.

#include <type_traits>

#include "converter/frontend/tensorflow/ops/binary.h"
#include "converter/frontend/tensorflow/registry.h"
#include "converter/lower/integers.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::BinaryKind;

Status ImportNotEqual(OpContext& c) { return c.Return(c.build.Not(c.build.Equal(c.input(0), c.input(1)))); }

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

Status ImportSelectV2(OpContext& c) { return c.Return(c.build.Select({c.input(0), c.input(1), c.input(2)})); }

// TensorFlow's kernels clamp the number of bits to the range from 0 to one less than the type has.
template <BinaryKind kind>
Status ImportShift(OpContext& c) {
  return c.Return(c.build.Binary(kind, c.input(0), lower::ShiftInType(c.build, c.input(1))));
}

// How many bits of an integer are set.
template <typename T>
Status CountBits(OpContext& c) {
  std::vector<T> masks;
  for (size_t i = 0; i < 8 * sizeof(T); ++i) masks.push_back(static_cast<T>(std::make_unsigned_t<T>{1} << i));
  const ir::ValueId bits = c.build.BitwiseAnd(c.build.InsertDim(c.input(), c.rank()),
                                              c.build.Constant({static_cast<int64_t>(masks.size())}, masks));
  const ir::ValueId is_clear = c.build.Equal(bits, c.build.Constant<T>({}, {0}));
  const ir::ValueId is_set = c.build.Cast(c.build.Not(is_clear), DType::kInt32);
  const ir::ValueId count = c.build.Reduce(schema::ReduceKind::Sum, is_set, {c.rank()}, false);
  return c.Return(c.build.Cast(count, DType::kUInt8));
}

Status ImportPopulationCount(OpContext& c) {
  switch (c.x().dtype) {
    case DType::kInt8:
      return CountBits<int8_t>(c);
    case DType::kUInt8:
      return CountBits<uint8_t>(c);
    case DType::kInt16:
      return CountBits<int16_t>(c);
    case DType::kUInt16:
      return CountBits<uint16_t>(c);
    case DType::kInt32:
      return CountBits<int32_t>(c);
    case DType::kUInt32:
      return CountBits<uint32_t>(c);
    case DType::kInt64:
      return CountBits<int64_t>(c);
    case DType::kUInt64:
      return CountBits<uint64_t>(c);
    default:
      return Unsupported("of type {}", Name(c.x().dtype));
  }
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
    {"SelectV2", 3, 3, ImportSelectV2},
};

}  // namespace micrort::frontend::tensorflow
