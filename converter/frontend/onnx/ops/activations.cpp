// Functions of one element.

#include <limits>

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::UnaryKind;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Status ImportRelu(NodeContext& c) {
  if (IsFloat(c.x().dtype)) return c.Return(c.build.Unary(UnaryKind::Clip, c.input(0), 0, kInfinity));
  return c.Return(c.build.Max(c.input(0), c.Scalar(c.x().dtype, 0)));
}

// A bound of Clip that is constant; false if it must be computed as a tensor.
bool ConstantBound(NodeContext& c, size_t i, float otherwise, float* bound) {
  *bound = otherwise;
  if (!c.has_input(i)) return true;
  std::vector<float> values;
  if (!ir::FloatsOf(c.x(i), &values) || values.size() != 1) return false;
  *bound = values[0];
  return true;
}

// Bounds are attributes up to opset 10, inputs later.
Status ImportClip(NodeContext& c) {
  float low = c.Float("min", -kInfinity);
  float high = c.Float("max", kInfinity);
  const bool constant = ConstantBound(c, 1, low, &low) && ConstantBound(c, 2, high, &high);
  if (constant && IsFloat(c.x().dtype))
    return c.Return(c.build.Unary(UnaryKind::Clip, c.input(0), low > high ? high : low, high));
  ir::ValueId y = c.input(0);
  if (c.has_input(1)) y = c.build.Max(y, c.input(1));
  if (c.has_input(2)) y = c.build.Min(y, c.input(2));
  return c.Return(y);
}

Status ImportLeakyRelu(NodeContext& c) {
  return c.Return(c.build.Unary(UnaryKind::LeakyRelu, c.input(0), c.Float("alpha", 0.01f)));
}

Status ImportThresholdedRelu(NodeContext& c) {
  return c.Return(c.build.Unary(UnaryKind::ThresholdedRelu, c.input(0), c.Float("alpha", 1.0f)));
}

Status ImportHardSigmoid(NodeContext& c) {
  const float alpha = c.Float("alpha", 0.2f);
  return c.Return(c.build.Unary(UnaryKind::HardSigmoid, c.input(0), alpha, c.Float("beta", 0.5f)));
}

Status ImportElu(NodeContext& c) {
  return c.Return(c.build.Unary(UnaryKind::Elu, c.input(0), c.Float("alpha", 1.0f)));
}

Status ImportCelu(NodeContext& c) {
  return c.Return(c.build.Unary(UnaryKind::Celu, c.input(0), c.Float("alpha", 1.0f)));
}

// Before opset 6 the defaults had fewer digits.
Status ImportSelu(NodeContext& c) {
  const bool rounded = c.opset() < 6;
  const float alpha = c.Float("alpha", rounded ? 1.6732f : 1.67326319217681884765625f);
  const float gamma = c.Float("gamma", rounded ? 1.0507f : 1.05070102214813232421875f);
  return c.Return(c.build.Unary(UnaryKind::Selu, c.input(0), alpha, gamma));
}

Status ImportShrink(NodeContext& c) {
  const float bias = c.Float("bias", 0.0f), lambda = c.Float("lambd", 0.5f);
  const DType type = c.x().dtype;
  if (IsFloat(type)) return c.Return(c.build.Unary(UnaryKind::Shrink, c.input(0), bias, lambda));
  const ir::ValueId exact = c.build.Cast(c.input(0), DType::kFloat64);
  return c.Return(c.build.Cast(c.build.Unary(UnaryKind::Shrink, exact, bias, lambda), type));
}

Status ImportGelu(NodeContext& c) {
  const bool tanh = c.String("approximate", "none") == "tanh";
  return c.Return(c.build.Unary(tanh ? UnaryKind::GeluTanh : UnaryKind::Gelu, c.input(0)));
}

// One slope a channel may be given without the dimensions behind it (opset 6: [C] for [N,C,H,W]).
Status ImportPRelu(NodeContext& c) {
  ir::ValueId slope = c.input(1);
  const ir::Value& s = c.x(1);
  const bool per_channel = c.opset() < 7 && s.rank() == 1 && s.is_static() && s.shape[0] != 1;
  if (per_channel && c.x().rank() > 2) slope = c.build.Along(slope, 0, c.x().rank() - 1);
  return c.Return(c.build.PRelu(c.input(0), slope));
}

}  // namespace

const ImporterList ActivationImporters = {
    {"Abs", 1, 1, ImportUnary<UnaryKind::Abs>},
    {"Acos", 1, 1, ImportUnary<UnaryKind::Acos>},
    {"Acosh", 1, 1, ImportUnary<UnaryKind::Acosh>},
    {"Asin", 1, 1, ImportUnary<UnaryKind::Asin>},
    {"Asinh", 1, 1, ImportUnary<UnaryKind::Asinh>},
    {"Atan", 1, 1, ImportUnary<UnaryKind::Atan>},
    {"Atanh", 1, 1, ImportUnary<UnaryKind::Atanh>},
    {"Ceil", 1, 1, ImportUnary<UnaryKind::Ceil>},
    {"Celu", 1, 1, ImportCelu},
    {"Clip", 1, 3, ImportClip},
    {"Cos", 1, 1, ImportUnary<UnaryKind::Cos>},
    {"Cosh", 1, 1, ImportUnary<UnaryKind::Cosh>},
    {"Elu", 1, 1, ImportElu},
    {"Erf", 1, 1, ImportUnary<UnaryKind::Erf>},
    {"Exp", 1, 1, ImportUnary<UnaryKind::Exp>},
    {"Floor", 1, 1, ImportUnary<UnaryKind::Floor>},
    {"Gelu", 1, 1, ImportGelu, Since(20)},
    {"com.microsoft.Gelu", 1, 1, ImportGelu},
    {"HardSigmoid", 1, 1, ImportHardSigmoid},
    {"HardSwish", 1, 1, ImportUnary<UnaryKind::HardSwish>},
    {"LeakyRelu", 1, 1, ImportLeakyRelu},
    {"Log", 1, 1, ImportUnary<UnaryKind::Log>},
    {"Mish", 1, 1, ImportUnary<UnaryKind::Mish>, Since(18)},
    {"Neg", 1, 1, ImportUnary<UnaryKind::Neg>},
    {"PRelu", 2, 2, ImportPRelu},
    {"Reciprocal", 1, 1, ImportUnary<UnaryKind::Reciprocal>},
    {"Relu", 1, 1, ImportRelu},
    {"Round", 1, 1, ImportUnary<UnaryKind::Round>},
    {"Selu", 1, 1, ImportSelu},
    {"Shrink", 1, 1, ImportShrink, Types(kNumbers)},
    {"Sigmoid", 1, 1, ImportUnary<UnaryKind::Sigmoid>},
    {"Sign", 1, 1, ImportUnary<UnaryKind::Sign>},
    {"Sin", 1, 1, ImportUnary<UnaryKind::Sin>},
    {"Sinh", 1, 1, ImportUnary<UnaryKind::Sinh>},
    {"Softplus", 1, 1, ImportUnary<UnaryKind::Softplus>},
    {"Softsign", 1, 1, ImportUnary<UnaryKind::Softsign>},
    {"Sqrt", 1, 1, ImportUnary<UnaryKind::Sqrt>},
    {"Tan", 1, 1, ImportUnary<UnaryKind::Tan>},
    {"Tanh", 1, 1, ImportUnary<UnaryKind::Tanh>},
    {"ThresholdedRelu", 1, 1, ImportThresholdedRelu},
};

}  // namespace micrort::frontend::onnx
