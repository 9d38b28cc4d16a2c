// Layers and activations of com.microsoft that ONNX Runtime's optimizer fuses, in parts again, and its LSTM
// whose weights are bytes: here they become floats, which is more exact than its dynamically quantized
// products.

#include <limits>
#include <utility>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::UnaryKind;

float At(const std::vector<float>& values, size_t i, float otherwise) {
  return i < values.size() ? values[i] : otherwise;
}

Status Activate(NodeContext& c, const std::string& name, const std::vector<float>& parameters,
                ir::ValueId* x) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  UnaryKind kind = UnaryKind::Identity;
  float a = 0, b = 0;
  if (name.empty()) return Status();
  if (name == "Relu") {
    kind = UnaryKind::Clip;
    b = kInfinity;
  } else if (name == "Clip") {
    kind = UnaryKind::Clip;
    a = At(parameters, 0, -kInfinity);
    b = At(parameters, 1, kInfinity);
  } else if (name == "LeakyRelu") {
    kind = UnaryKind::LeakyRelu;
    a = At(parameters, 0, 0.01f);
  } else if (name == "HardSigmoid") {
    kind = UnaryKind::HardSigmoid;
    a = At(parameters, 0, 0.2f);
    b = At(parameters, 1, 0.5f);
  } else if (name == "Sigmoid") {
    kind = UnaryKind::Sigmoid;
  } else if (name == "Tanh") {
    kind = UnaryKind::Tanh;
  } else {
    return Unsupported("activation '{}'", name);
  }
  *x = c.build.Unary(kind, *x, a, b);
  return Status();
}

// Conv or Gemm; `residual`: an input to add before the activation.
Status ImportWithActivation(NodeContext& c, const char* layer, size_t residual,
                            const std::vector<float>& parameters) {
  const std::string activation = c.String("activation", "");
  MICRORT_RETURN_IF_ERROR(FindImporter("", layer)->import(c));
  ir::ValueId y = c.outputs()[0];
  if (residual != 0 && c.has_input(residual)) y = c.build.Add(y, c.input(residual));
  MICRORT_RETURN_IF_ERROR(Activate(c, activation, parameters, &y));
  return c.Return(y);
}

Status ImportFusedConv(NodeContext& c) {
  return ImportWithActivation(c, "Conv", 3, c.Floats("activation_params"));
}

Status ImportFusedGemm(NodeContext& c) {
  std::vector<float> parameters;
  for (const char* name : {"activation_alpha", "activation_beta", "activation_gamma"}) {
    if (c.Has(name)) parameters.push_back(c.Float(name, 0));
  }
  return ImportWithActivation(c, "Gemm", 0, parameters);
}

// [M,B...,K] → [B...,M,K] where the batch comes after the rows, then the last two dimensions swapped.
ir::ValueId Arranged(NodeContext& c, size_t input, bool batch_inside, bool transposed) {
  const int rank = c.x(input).rank();
  if (rank < 2 || (!batch_inside && !transposed)) return c.input(input);
  std::vector<int32_t> order;
  for (int i = batch_inside ? 1 : 0; i < rank - 1; ++i) order.push_back(i);
  if (batch_inside) order.push_back(0);
  order.push_back(rank - 1);
  if (transposed) std::swap(order[order.size() - 1], order[order.size() - 2]);
  return c.build.Transpose(c.input(input), order);
}

Status ImportFusedMatMul(NodeContext& c) {
  const float alpha = c.Float("alpha", 1);
  c.ReplaceInput(0, Arranged(c, 0, c.Int("transBatchA", 0) != 0, c.Int("transA", 0) != 0));
  c.ReplaceInput(1, Arranged(c, 1, c.Int("transBatchB", 0) != 0, c.Int("transB", 0) != 0));
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_RETURN_IF_ERROR(FindImporter("", "MatMul")->import(c));
  const ir::ValueId y = c.outputs()[0];
  return c.Return(alpha == 1 ? y : c.build.Mul(y, c.Scalar(c.value(y).dtype, alpha)));
}

ir::ValueId WithBias(NodeContext& c) {
  return c.has_input(1) ? c.build.Add(c.input(0), c.input(1)) : c.input(0);
}

template <UnaryKind kind>
Status ImportBiasGelu(NodeContext& c) {
  return c.Return(c.build.Unary(kind, WithBias(c)));
}

// The first half times the Gelu of the second.
Status ImportBiasSplitGelu(NodeContext& c) {
  const ir::ValueId x = WithBias(c);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const int axis = c.value(x).rank() - 1;
  const int64_t width = axis < 0 ? ir::kDynamic : c.value(x).shape.back();
  if (width < 0 || width % 2 != 0) return Unsupported("the last dimension has no fixed half");
  const ir::ValueId gate = c.build.Unary(UnaryKind::Gelu, c.build.Slice(x, axis, width / 2, width));
  return c.Return(c.build.Mul(c.build.Slice(x, axis, 0, width / 2), gate));
}

// x * sigmoid(alpha * x)
ir::ValueId Swish(NodeContext& c, float otherwise) {
  const float alpha = c.Float("alpha", otherwise);
  const ir::ValueId x = c.input(0);
  if (alpha == 1) return c.build.Unary(UnaryKind::Silu, x);
  const ir::ValueId scaled = c.build.Mul(x, c.Scalar(c.x().dtype, alpha));
  return c.build.Mul(x, c.build.Sigmoid(scaled));
}
Status ImportSwish(NodeContext& c) { return c.Return(Swish(c, 1.0f)); }
Status ImportQuickGelu(NodeContext& c) { return c.Return(Swish(c, 1.702f)); }

Status ImportSwiGlu(NodeContext& c) {
  if (c.x().shape != c.x(1).shape && c.x().is_static() && c.x(1).is_static())
    return Invalid("gate and value have different shapes");
  return c.Return(c.build.Mul(Swish(c, 1.0f), c.input(1)));
}

// ONNX's own inputs of an LSTM, then the quantization of both weights.
constexpr size_t kOwnInputs = 8;
constexpr int kLstmOpset = 14;

// Makes [D,4H,K] floats of a weight [D,K,4H] with scales and zero points [D] or [D,4H].
Result<ir::ValueId> Weights(NodeContext& c, size_t weight, size_t scale) {
  if (!c.has_input(scale))
    return Invalid("input {}: expected the scale of input {}, found nothing", scale, weight);
  if (c.x(weight).rank() != 3)
    return Invalid("input {}: expected weights of 3 dimensions, found {}", weight, c.x(weight).rank());
  const auto along_gates = [&](ir::ValueId id) {
    const bool per_gate = c.value(id).rank() == 2;
    return c.build.Reshape(id, {CopyDim(0), 1, per_gate ? CopyDim(1) : 1});
  };
  ir::ValueId w = c.build.Cast(c.input(weight), DType::kFloat32);
  if (c.has_input(scale + 1)) {
    const ir::ValueId zero_point = c.build.Cast(c.input(scale + 1), DType::kFloat32);
    w = c.build.Sub(w, along_gates(zero_point));
  }
  w = c.build.Mul(w, along_gates(c.input(scale)));
  return c.build.Checked(c.build.Transpose(w, {0, 2, 1}));
}

Status ImportDynamicQuantizeLstm(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId w, Weights(c, 1, kOwnInputs));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId r, Weights(c, 2, kOwnInputs + 2));
  std::vector<ir::ValueId> inputs = {c.input(0), w, r};
  for (size_t i = inputs.size(); i < kOwnInputs; ++i) inputs.push_back(c.input(i));
  c.Delegate(std::move(inputs), kLstmOpset);
  return FindImporter("", "LSTM")->import(c);
}

}  // namespace

const ImporterList ContribLayerImporters = {
    {"SwiGLU", 2, 2, ImportSwiGlu, Types(kFloats).Since(28)},
    {"Swish", 1, 1, ImportSwish, Types(kFloats).Since(24)},
    {"com.microsoft.BiasGelu", 2, 2, ImportBiasGelu<UnaryKind::Gelu>, Types(kFloats)},
    {"com.microsoft.BiasSplitGelu", 2, 2, ImportBiasSplitGelu, Types(kFloats)},
    {"com.microsoft.FastGelu", 1, 2, ImportBiasGelu<UnaryKind::GeluTanh>, Types(kFloats)},
    {"com.microsoft.FusedConv", 2, 4, ImportFusedConv, Types(kFloats)},
    {"com.microsoft.FusedGemm", 2, 3, ImportFusedGemm, Types(kFloats)},
    {"com.microsoft.FusedMatMul", 2, 2, InFloat32<ImportFusedMatMul>, Types(kFloats)},
    {"com.microsoft.QuickGelu", 1, 1, ImportQuickGelu, Types(kFloats)},
    {"com.microsoft.DynamicQuantizeLSTM", 3, 12, ImportDynamicQuantizeLstm, Types(kFloat32)},
};

}  // namespace micrort::frontend::onnx
