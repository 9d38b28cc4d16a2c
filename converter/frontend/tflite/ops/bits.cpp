// Operators on the bits of integers.

#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/tensor_types.h"
#include "converter/lower/integers.h"

namespace micrort::frontend::tflite {

namespace {

using schema::BinaryKind;

// Between types of one size.
Status ImportBitcast(OpContext& c) {
  if (!c.op.wants_output(0)) return Invalid("it has no output");
  const DType from = c.value(c.stored(0)).dtype, to = DTypeOf(c.op.output_tensor(0).type());
  if (SizeOf(from) != SizeOf(to) || (to == DType::kBool && from != to))
    return Unsupported("the bits of {} as {}", Name(from), Name(to));
  c.SetStoredOutput(0, from == to ? c.stored(0) : c.build.BitCast(c.stored(0), to));
  return c.build.status();
}

Status ImportBitwiseXor(OpContext& c) {
  const bool is_bool = c.value(c.stored(0)).dtype == DType::kBool;
  return c.Return(
      c.build.Binary(is_bool ? BinaryKind::Xor : BinaryKind::BitwiseXor, c.stored(0), c.stored(1)));
}

// By 0 to all bits but one; the sign stays.
Status ImportRightShift(OpContext& c) {
  return c.Return(c.build.ShiftRight(c.stored(0), lower::ShiftInType(c.build, c.stored(1))));
}

constexpr TypeSet kShifted =
    TypesOf(DType::kInt8, DType::kUInt8, DType::kInt16, DType::kUInt16, DType::kInt32, DType::kUInt32);

}  // namespace

const ImporterList BitImporters = {
    {"BITCAST", 1, 1, ImportBitcast, Types(kAllTypes).Without("types of other sizes; integers as bool")},
    {"BITWISE_XOR", 2, 2, ImportBitwiseXor, Types(kShifted | kBool)},
    {"RIGHT_SHIFT", 2, 2, ImportRightShift, Types(kShifted)},
};

}  // namespace micrort::frontend::tflite
