// Activations.

#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// By the name of ONNX's operator.
#define MICRORT_SAME_AS(name) [](OpContext& c) { c.Return(c.Onnx(name, {c.TensorAt(0)})); }

void ImportSilu(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(c.build.Mul(x, c.build.Sigmoid(x)));
}

// (self, approximate)
void ImportGelu(OpContext& c) {
  c.Return(c.Onnx("Gelu", {c.TensorAt(0)}, {{"approximate", c.String(1, "none")}}));
}

ir::ValueId HardSigmoidOf(OpContext& c, ir::ValueId x) {
  return c.Onnx("HardSigmoid", {x}, {{"alpha", 1.0f / 6.0f}, {"beta", 0.5f}});
}

void ImportHardSigmoid(OpContext& c) { c.Return(HardSigmoidOf(c, c.TensorAt(0))); }

ir::ValueId Bounded(OpContext& c, ir::ValueId x, ir::ValueId low, ir::ValueId high) {
  const DType dtype = c.dtype(x);
  const auto is_number = [&](ir::ValueId id) {
    return id == ir::kNoValue || (c.value(id).is_constant() && c.rank(id) == 0);
  };
  if (is_number(low) && is_number(high))
    return c.Onnx("Clip", {x, c.CastTo(low, dtype), c.CastTo(high, dtype)});
  if (low != ir::kNoValue) x = c.build.Max(x, c.CastTo(low, dtype));
  return high == ir::kNoValue ? x : c.build.Min(x, c.CastTo(high, dtype));
}

// Integers between bounds that are floats become floats.
ir::ValueId AsItsBounds(OpContext& c) {
  std::vector<Value> values = {c.arg(0)};
  for (const size_t i : {1, 2}) {
    if (c.Has(i)) values.push_back(c.arg(i));
  }
  return c.CastTo(c.TensorAt(0), PromotedType(c, values));
}

// (self, min, max): clamp, hardtanh
void ImportClamp(OpContext& c) {
  c.Return(Bounded(c, AsItsBounds(c), c.OptionalTensor(1), c.OptionalTensor(2)));
}

void ImportHardTanh(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(Bounded(c, x, c.Scalar(c.dtype(x), c.Float(1, -1)), c.Scalar(c.dtype(x), c.Float(2, 1))));
}

void ImportClampMin(OpContext& c) { c.Return(Bounded(c, AsItsBounds(c), c.TensorAt(1), ir::kNoValue)); }
void ImportClampMax(OpContext& c) { c.Return(Bounded(c, AsItsBounds(c), ir::kNoValue, c.TensorAt(1))); }

void ImportRelu6(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(c.Onnx("Clip", {x, c.Scalar(c.dtype(x), 0), c.Scalar(c.dtype(x), 6)}));
}

// (self, negative_slope)
void ImportLeakyRelu(OpContext& c) {
  c.Return(c.Onnx("LeakyRelu", {c.TensorAt(0)}, {{"alpha", static_cast<float>(c.Float(1, 0.01))}}));
}

// (self, lower, upper, training): in evaluation, the mean of the slopes
void ImportRRelu(OpContext& c) {
  const double slope = (c.Float(1, 1.0 / 8) + c.Float(2, 1.0 / 3)) / 2;
  c.Return(c.Onnx("LeakyRelu", {c.TensorAt(0)}, {{"alpha", static_cast<float>(slope)}}));
}

// (self, alpha, scale, input_scale)
void ImportElu(OpContext& c) {
  if (c.Float(2, 1) != 1 || c.Float(3, 1) != 1) c.Fail(Unsupported("scales other than 1"));
  c.Return(c.Onnx("Elu", {c.TensorAt(0)}, {{"alpha", static_cast<float>(c.Float(1, 1))}}));
}

// (self, alpha)
void ImportCelu(OpContext& c) {
  c.Return(c.Onnx("Celu", {c.TensorAt(0)}, {{"alpha", static_cast<float>(c.Float(1, 1))}}));
}

// (self, weight): one slope, or one a channel
void ImportPRelu(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  ir::ValueId slope = c.TensorAt(1);
  const int dims = c.rank(x) - 2;
  if (dims > 0 && c.rank(slope) == 1) slope = c.build.Along(slope, 0, dims + 1);
  c.Return(c.Onnx("PRelu", {x, slope}));
}

// (self, beta, threshold): beyond the threshold it is the input
void ImportSoftplus(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const double beta = c.Float(1, 1), threshold = c.Float(2, 20);
  const ir::ValueId factor = c.Scalar(c.dtype(x), beta);
  const ir::ValueId scaled = beta == 1 ? x : c.build.Mul(x, factor);
  ir::ValueId y = c.build.Softplus(scaled);
  if (beta != 1) y = c.build.Div(y, factor);
  constexpr double kNoDifference = 16;  // to floats, from here on
  if (threshold < kNoDifference)
    y = c.build.Select({c.build.Greater(scaled, c.Scalar(c.dtype(x), threshold)), x, y});
  c.Return(y);
}

void ImportLogSigmoid(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(c.build.Neg(c.build.Softplus(c.build.Neg(x))));
}

void ImportTanhShrink(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(c.build.Sub(x, c.build.Tanh(x)));
}

// (self, lambd)
template <bool soft>
void ImportShrink(OpContext& c) {
  const auto lambda = static_cast<float>(c.Float(1, 0.5));
  c.Return(c.Onnx("Shrink", {c.TensorAt(0)}, {{"lambd", lambda}, {"bias", soft ? lambda : 0.0f}}));
}

// (self, threshold, value)
void ImportThreshold(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const DType dtype = c.dtype(x);
  c.Return(c.Onnx("Where",
                  {c.build.Greater(x, c.Scalar(dtype, c.Float(1, 0))), x, c.Scalar(dtype, c.Float(2, 0))}));
}

// (self, dim)
void ImportGlu(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(1, c.rank(x), -1);
  const int64_t half = c.FixedDim(x, axis) / 2;
  const ir::ValueId a = c.build.Slice(x, axis, 0, half), b = c.build.Slice(x, axis, half, 2 * half);
  c.Return(c.build.Mul(a, c.build.Sigmoid(b)));
}

}  // namespace

const ImporterList ActivationOps = {
    {"celu", "self alpha", ImportCelu},
    {"clamp", "self min max", ImportClamp},
    {"clamp_max", "self max", ImportClampMax},
    {"clamp_min", "self min", ImportClampMin},
    {"clip", "self min max", ImportClamp},
    {"elu", "self alpha scale input_scale", ImportElu},
    {"gelu", "self approximate", ImportGelu},
    {"glu", "self dim", ImportGlu},
    {"hardshrink", "self lambd", ImportShrink<false>},
    {"hardsigmoid", "self", ImportHardSigmoid},
    {"hardswish", "self", MICRORT_SAME_AS("HardSwish")},
    {"hardtanh", "self min_val max_val", ImportHardTanh},
    {"leaky_relu", "self negative_slope", ImportLeakyRelu},
    {"log_sigmoid", "self", ImportLogSigmoid},
    {"mish", "self", MICRORT_SAME_AS("Mish")},
    {"prelu", "self weight", ImportPRelu},
    {"relu", "self", MICRORT_SAME_AS("Relu")},
    {"relu6", "self", ImportRelu6},
    {"rrelu", "self lower upper training generator", ImportRRelu},
    {"selu", "self", MICRORT_SAME_AS("Selu")},
    {"sigmoid", "self", MICRORT_SAME_AS("Sigmoid")},
    {"silu", "self", ImportSilu},
    {"softplus", "self beta threshold", ImportSoftplus},
    {"softshrink", "self lambd", ImportShrink<true>},
    {"softsign", "self", MICRORT_SAME_AS("Softsign")},
    {"tanh", "self", MICRORT_SAME_AS("Tanh")},
    {"tanhshrink", "self", ImportTanhShrink},
    {"threshold", "self threshold value", ImportThreshold},
};

#undef MICRORT_SAME_AS

}  // namespace micrort::frontend::torchscript
