// Operators on single elements.

#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/ops/inverse_sqrt.h"
#include "converter/frontend/tflite/registry.h"
#include "kernels/elementwise/unary_s16.h"

namespace micrort::frontend::tflite {

namespace {

using schema::BinaryKind;
using schema::UnaryKind;

template <UnaryKind kKind>
Status ImportUnary(OpContext& c) {
  return c.Return(c.build.Unary(kKind, c.input(0)));
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
Status ImportElu(OpContext& c) { return c.Return(c.build.Unary(UnaryKind::Elu, c.input(0), 1)); }

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
  bool is_done = false;
  MICRORT_RETURN_IF_ERROR(RunInverseSqrtInt16(c, &is_done));
  if (is_done) return Status();
  return c.Return(c.build.Unary(UnaryKind::Reciprocal, c.build.Unary(UnaryKind::Sqrt, c.input(0))));
}

Status ImportSquare(OpContext& c) {
  return c.Return(c.build.Binary(BinaryKind::Mul, c.input(0), c.input(0)));
}

Status ImportZerosLike(OpContext& c) {
  const ir::ValueId zero = c.Scalar(c.x().dtype, 0);
  return c.Return(c.build.Add(schema::ExpandOptionsT(), {zero, c.build.ShapeOf(c.input(0))}));
}

constexpr TypeSet kQuantizable = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);
constexpr TypeSet kCounted = kQuantizable | TypesOf(DType::kInt32, DType::kInt64);

using Activation = fb::ActivationFunctionType;

}  // namespace

const ImporterList UnaryImporters = {
    {"ABS", 1, 1, ImportFixed<UnaryKind::Abs>, Types(kCounted)},
    {"CEIL", 1, 1, ImportUnary<UnaryKind::Ceil>, Types(kFloat32)},
    {"COS", 1, 1, ImportUnary<UnaryKind::Cos>, Types(kFloat32)},
    {"ELU", 1, 1, ImportElu, Types(kQuantizable)},
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
