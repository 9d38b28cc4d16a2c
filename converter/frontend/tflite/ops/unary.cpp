// Operators on single elements.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/tflite/op_context.h"
#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/ops/integer_sums.h"
#include "converter/frontend/tflite/registry.h"
#include "kernels/base/fixed_point.h"
#include "kernels/elementwise/unary_s16.h"

namespace micrort::frontend::tflite {

namespace {

using schema::UnaryKind;

// RSQRT of int16 as TensorFlow Lite's reference kernels compute it, in integers.

constexpr int32_t kEntries = INT16_MAX + 1;
// Roots have so many bits behind the point before they get the output's scale.
constexpr int32_t kRootBits = 20;
constexpr int32_t kMostShift = 31;

// 1 / sqrt(x) of x > 1 as a multiplier, by five steps of Newton's method on numbers with 28 bits behind the
// point: r becomes 3/2 r - x/2 r^3.
FixedMultiplier InverseSqrt(int32_t x) {
  constexpr int32_t kOne = 1 << 28, kHalfThree = kOne + kOne / 2, kHalfSqrt2 = 1518500250;
  int32_t shift = 11;
  for (; x < (1 << 27); --shift) x *= 4;
  const int32_t half = ShiftRightRounded(x >> 1, 1);
  int32_t root = kOne;
  for (int step = 0; step < 5; ++step) {
    const int32_t cube = ShiftLeftSaturated(DoublingHighMul(DoublingHighMul(root, root), root), 6);
    root = ShiftLeftSaturated(DoublingHighMul(kHalfThree, root) - DoublingHighMul(half, cube), 3);
  }
  root = DoublingHighMul(root, kHalfSqrt2);
  return shift < 0 ? FixedMultiplier{ShiftLeftWrapped(root, -shift), 0} : FixedMultiplier{root, -shift};
}

// `by`: to the output's scale. 0 has the largest number there is.
int16_t Entry(int32_t x, FixedMultiplier by) {
  if (x == 0) return INT16_MAX;
  FixedMultiplier root = x == 1 ? FixedMultiplier{INT32_MAX, 0} : InverseSqrt(x);
  root.shift += kRootBits;
  const int32_t y = Multiply(Multiply(1, root), {by.multiplier, by.shift - kRootBits});
  return static_cast<int16_t>(std::clamp<int32_t>(y, INT16_MIN, INT16_MAX));
}

// Output 0 of int16, read from a table of all that the kernel gives; *is_done is false, and nothing is added,
// where the tensors are no int16 of one scale, or their scales leave what the kernel can shift by.
Result<bool> RunInverseSqrtInt16(OpContext& c) {
  bool is_done = false;
  is_done = false;
  if (!ComputesInt16(c, 1)) return is_done;
  ir::Quantization x, y;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.tensor(0), &x));
  MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.output_tensor(0), &y));
  const double scale = 1.0 / (std::sqrt(static_cast<double>(x.scales[0])) * static_cast<double>(y.scales[0]));
  const FixedMultiplier by = NearestFixedMultiplier(scale);
  if (by.shift - kRootBits < -kMostShift || by.shift - kRootBits > kMostShift) return is_done;
  std::vector<int16_t> table;
  for (int32_t i = 0; i < kEntries; ++i) table.push_back(Entry(i, by));
  // Negative numbers, which the kernel refuses, have the largest, too.
  const ir::ValueId place =
      c.build.Max(c.build.Cast(c.stored(0), DType::kInt32), c.build.Constant<int32_t>({}, {0}));
  const ir::ValueId entry = c.build.Gather(c.build.Constant<int16_t>({kEntries}, table), place, 0);
  c.SetStoredOutput(0, Relabelled(c.build, entry, y));
  return c.build.Checked(true);
}

// Whether the runtime has the function for these scales.
bool HasInt16Form(OpContext& c, UnaryKind kind, float a, float b) {
  ir::Quantization x, y;
  UnaryS16Op op;
  if (!ComputesInt16(c, 1) || !ReadQuantization(c.op.tensor(0), &x).ok() ||
      !ReadQuantization(c.op.output_tensor(0), &y).ok()) {
    return false;
  }
  return PlanUnaryS16({static_cast<micrort::UnaryKind>(kind), a, b}, {DType::kInt16, true, {x.scales[0], 0}},
                      {DType::kInt16, true, {y.scales[0], 0}}, &op);
}

template <UnaryKind kKind>
Status ImportFixed(OpContext& c) {
  return HasInt16Form(c, kKind, 0, 0) ? ReturnInt16(c, kKind) : ImportUnary<kKind>(c);
}

template <fb::ActivationFunctionType kActivation>
Status ImportActivation(OpContext& c) {
  const auto clamp = Int16Clamp(kActivation);
  if (clamp && HasInt16Form(c, UnaryKind::Clip, clamp->a(), clamp->b()))
    return ReturnInt16(c, UnaryKind::Clip, clamp->a(), clamp->b());
  return c.Return(c.input(0), kActivation);
}

Status ImportRelu0To1(OpContext& c) {
  if (HasInt16Form(c, UnaryKind::Clip, 0, 1)) return ReturnInt16(c, UnaryKind::Clip, 0, 1);
  return c.Return(c.build.Unary(UnaryKind::Clip, c.input(0), 0, 1));
}

Status ImportLeakyRelu(OpContext& c) {
  const float alpha = c.op.Options<fb::LeakyReluOptionsT>().alpha;
  if (HasInt16Form(c, UnaryKind::LeakyRelu, alpha, 0)) return ReturnInt16(c, UnaryKind::LeakyRelu, alpha);
  return c.Return(c.build.Unary(UnaryKind::LeakyRelu, c.input(0), alpha));
}

Status ImportGelu(OpContext& c) {
  const bool approximate = c.op.Options<fb::GeluOptionsT>().approximate;
  return c.Return(c.build.Unary(approximate ? UnaryKind::GeluTanh : UnaryKind::Gelu, c.input(0)));
}

Status ImportRsqrt(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(bool is_done, RunInverseSqrtInt16(c));
  return is_done ? Status() : frontend::ImportRsqrt(c);
}

Status ImportZerosLike(OpContext& c) {
  const ir::ValueId zero = c.Scalar(c.x().dtype, 0);
  return c.Return(c.build.Expand({zero, c.build.ShapeOf(c.input(0))}));
}

constexpr TypeSet kQuantizable = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);
constexpr TypeSet kCounted = kQuantizable | TypesOf(DType::kInt32, DType::kInt64);

using Activation = fb::ActivationFunctionType;

}  // namespace

const ImporterList UnaryImporters = {
    {"ABS", 1, 1, ImportFixed<UnaryKind::Abs>, Types(kCounted)},
    {"CEIL", 1, 1, ImportUnary<UnaryKind::Ceil>, Types(kFloat32)},
    {"COS", 1, 1, ImportUnary<UnaryKind::Cos>, Types(kFloat32)},
    {"ELU", 1, 1, ImportUnary<UnaryKind::Elu, 1>, Types(kQuantizable)},
    {"EXP", 1, 1, ImportUnary<UnaryKind::Exp>, Types(kQuantizable)},
    {"FLOOR", 1, 1, ImportUnary<UnaryKind::Floor>, Types(kFloat32)},
    {"GELU", 1, 1, ImportGelu, Types(kQuantizable)},
    {"HARD_SWISH", 1, 1, ImportUnary<UnaryKind::HardSwish>, Types(kQuantizable)},
    {"LEAKY_RELU", 1, 1, ImportLeakyRelu, Types(kQuantizable)},
    {"LOG", 1, 1, ImportUnary<UnaryKind::Log>, Types(kQuantizable)},
    {"LOGICAL_NOT", 1, 1, ImportUnary<UnaryKind::Not>, Types(kBool)},
    {"LOGISTIC", 1, 1, ImportFixed<UnaryKind::Sigmoid>, Types(kQuantizable)},
    {"NEG", 1, 1, ImportUnary<UnaryKind::Neg>, Types(kCounted)},
    {"RELU", 1, 1, ImportActivation<Activation::Relu>, Types(kQuantizable)},
    {"RELU6", 1, 1, ImportActivation<Activation::Relu6>, Types(kQuantizable)},
    {"RELU_0_TO_1", 1, 1, ImportRelu0To1, Types(kQuantizable)},
    {"RELU_N1_TO_1", 1, 1, ImportActivation<Activation::ReluN1To1>, Types(kQuantizable)},
    {"ROUND", 1, 1, ImportUnary<UnaryKind::Round>, Types(kFloat32)},
    {"RSQRT", 1, 1, ImportRsqrt, Types(kQuantizable)},
    {"SIGN", 1, 1, ImportUnary<UnaryKind::Sign>, Types(kFloat32 | TypesOf(DType::kInt32))},
    {"SIN", 1, 1, ImportUnary<UnaryKind::Sin>, Types(kFloat32)},
    {"SQRT", 1, 1, ImportUnary<UnaryKind::Sqrt>, Types(kQuantizable)},
    {"SQUARE", 1, 1, ImportSquare, Types(kQuantizable)},
    {"TANH", 1, 1, ImportFixed<UnaryKind::Tanh>, Types(kQuantizable)},
    {"ZEROS_LIKE", 1, 1, ImportZerosLike, Types(kCounted)},
};

}  // namespace micrort::frontend::tflite
