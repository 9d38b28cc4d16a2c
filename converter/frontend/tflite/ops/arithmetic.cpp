// Operators on pairs of elements, whose shapes broadcast, and on the bits of integers.

#include <algorithm>

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/tensor_types.h"
#include "converter/lower/integers.h"

namespace micrort::frontend::tflite {

namespace {

using schema::BinaryKind;

template <BinaryKind kKind, typename OptionsT>
Status ImportActivated(OpContext& c) {
  return c.Return(c.build.Binary(kKind, c.input(0), c.input(1)),
                  c.op.Options<OptionsT>().fused_activation_function);
}

// Those that have int16 kernels.
template <BinaryKind kKind, typename OptionsT>
Status ImportSum(OpContext& c) {
  const auto clamp = Int16Clamp(c.op.Options<OptionsT>().fused_activation_function);
  if (!clamp || !ComputesInt16(c, 2)) return ImportActivated<kKind, OptionsT>(c);
  schema::BinaryOptionsT options;
  options.kind = kKind;
  options.activation = *clamp;
  return ReturnInt16(c, std::move(options), {c.stored(0), c.stored(1)});
}

// As its reference kernel for microcontrollers: both numbers in one scale, rounded, their difference and its
// square, all int16. Bytes have 7 bits more. (A difference of 2^15, which no int16 is, counts as one less.)
Status SquareFixedDifference(OpContext& c, bool are_bytes) {
  const float unit = are_bytes ? 1.0f / 128 : 1.0f;
  ir::Quantization q[2], y;
  for (size_t i = 0; i < 2; ++i) MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.tensor(i), &q[i]));
  MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.output_tensor(0), &y));
  const ir::Quantization common = {{2 * unit * std::max(q[0].scales[0], q[1].scales[0])}, {}};
  const auto fixed = [&](auto options, std::vector<ir::ValueId> inputs, ir::Quantization of_output) {
    return c.build.AddFixed(std::move(options), std::move(inputs), DType::kInt16, std::move(of_output));
  };
  const auto scaled = [&](size_t i) {
    const ir::ValueId x = are_bytes
                              ? fixed(schema::UnaryOptionsT(), {c.stored(i)}, {{q[i].scales[0] * unit}, {}})
                              : c.stored(i);
    return fixed(schema::UnaryOptionsT(), {x}, common);
  };
  schema::BinaryOptionsT subtract, multiply;
  subtract.kind = BinaryKind::Sub;
  multiply.kind = BinaryKind::Mul;
  const ir::ValueId difference = fixed(subtract, {scaled(0), scaled(1)}, common);
  const ir::ValueId square = fixed(multiply, {difference, difference}, {y.scales, {}});
  c.SetStoredOutput(
      0, are_bytes ? c.build.AddFixed(schema::UnaryOptionsT(), {square}, DType::kInt8, y) : square);
  return c.build.status();
}

// Whether both inputs and the output are int8 with one scale.
bool ComputesBytes(const OpContext& c) {
  const auto is_byte = [](const fb::Tensor& tensor) {
    ir::Quantization q;
    return tensor.type() == fb::TensorType::Int8 && IsQuantized(tensor) &&
           ReadQuantization(tensor, &q).ok() && q.scales.size() == 1;
  };
  return c.op.wants_output(0) && is_byte(c.op.tensor(0)) && is_byte(c.op.tensor(1)) &&
         is_byte(c.op.output_tensor(0));
}

Status ImportSquaredDifference(OpContext& c) {
  const bool are_bytes = ComputesBytes(c);
  if (are_bytes || ComputesInt16(c, 2)) return SquareFixedDifference(c, are_bytes);
  const ir::ValueId difference = c.build.Sub(c.input(0), c.input(1));
  return c.Return(c.build.Mul(difference, difference));
}

// TensorFlow Lite takes slopes of int8 for int16.
Status ImportPRelu(OpContext& c) {
  ir::Quantization slope;
  const bool is_fixed = ComputesInt16(c, 1) && c.op.has_input(1) &&
                        c.op.tensor(1).type() == fb::TensorType::Int8 && IsQuantized(c.op.tensor(1)) &&
                        ReadQuantization(c.op.tensor(1), &slope).ok() && slope.scales.size() == 1;
  if (!is_fixed) return ImportBinary<BinaryKind::PRelu>(c);
  schema::BinaryOptionsT options;
  options.kind = BinaryKind::PRelu;
  return ReturnInt16(c, std::move(options), {c.stored(0), c.stored(1)});
}

// The one comparison that TensorFlow Lite's kernels for microcontrollers have for int16. They take scales
// below 1.
Status ImportGreater(OpContext& c) {
  const auto is_fixed = [&](size_t i) {
    ir::Quantization q;
    return c.op.has_input(i) && IsSymmetricInt16(c.op.tensor(i)) &&
           ReadQuantization(c.op.tensor(i), &q).ok() && q.scales[0] < 1;
  };
  if (!is_fixed(0) || !is_fixed(1)) return ImportBinary<BinaryKind::Greater>(c);
  schema::BinaryOptionsT options;
  options.kind = BinaryKind::Greater;
  const ir::ValueId y = c.build.AddFixed(std::move(options), {c.stored(0), c.stored(1)}, DType::kBool, {});
  c.SetStoredOutput(0, y);
  return c.build.status();
}

Status ImportAddN(OpContext& c) {
  ir::ValueId sum = c.input(0);
  for (size_t i = 1; i < c.op.input_count(); ++i) sum = c.build.Add(sum, c.input(i));
  return c.Return(sum);
}

constexpr TypeSet kPairs =
    TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16, DType::kInt32, DType::kInt64);
constexpr TypeSet kWhole =
    TypesOf(DType::kFloat32, DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64);

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

const ImporterList ArithmeticImporters = {
    {"ADD", 2, 2, ImportSum<BinaryKind::Add, fb::AddOptionsT>, Types(kPairs)},
    {"ADD_N", 1, -1, ImportAddN, Types(kPairs)},
    {"ATAN2", 2, 2, ImportAtan2, Types(kFloat32)},
    {"DIV", 2, 2, ImportActivated<BinaryKind::Div, fb::DivOptionsT>, Types(kPairs)},
    {"EQUAL", 2, 2, ImportBinary<BinaryKind::Equal>, Types(kPairs | kBool)},
    {"FLOOR_DIV", 2, 2, ImportFloorDiv, Types(kWhole)},
    {"FLOOR_MOD", 2, 2, ImportBinary<BinaryKind::Mod>, Types(kWhole)},
    {"GREATER", 2, 2, ImportGreater, Types(kPairs)},
    {"GREATER_EQUAL", 2, 2, ImportBinary<BinaryKind::GreaterOrEqual>, Types(kPairs)},
    {"LESS", 2, 2, ImportBinary<BinaryKind::Less>, Types(kPairs)},
    {"LESS_EQUAL", 2, 2, ImportBinary<BinaryKind::LessOrEqual>, Types(kPairs)},
    {"LOGICAL_AND", 2, 2, ImportBinary<BinaryKind::And>, Types(kBool)},
    {"LOGICAL_OR", 2, 2, ImportBinary<BinaryKind::Or>, Types(kBool)},
    {"MAXIMUM", 2, 2, ImportBinary<BinaryKind::Max>, Types(kPairs)},
    {"MINIMUM", 2, 2, ImportBinary<BinaryKind::Min>, Types(kPairs)},
    {"MUL", 2, 2, ImportSum<BinaryKind::Mul, fb::MulOptionsT>, Types(kPairs)},
    {"NOT_EQUAL", 2, 2, ImportNotEqual, Types(kPairs | kBool)},
    {"POW", 2, 2, ImportBinary<BinaryKind::Pow>, Types(kFloat32 | TypesOf(DType::kInt32))},
    {"PRELU", 2, 2, ImportPRelu, Types(kFloat32 | kBytes | TypesOf(DType::kInt16))},
    {"SQUARED_DIFFERENCE", 2, 2, ImportSquaredDifference, Types(kPairs)},
    {"SUB", 2, 2, ImportSum<BinaryKind::Sub, fb::SubOptionsT>, Types(kPairs)},
    {"BITCAST", 1, 1, ImportBitcast, Types(kAllTypes).Without("types of other sizes; integers as bool")},
    {"BITWISE_XOR", 2, 2, ImportBitwiseXor, Types(kShifted | kBool)},
    {"RIGHT_SHIFT", 2, 2, ImportRightShift, Types(kShifted)},
};

}  // namespace micrort::frontend::tflite
