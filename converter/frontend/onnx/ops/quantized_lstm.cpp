// com.microsoft.DynamicQuantizeLSTM: an LSTM whose weights are bytes. Here they become floats, which is more
// exact than its dynamically quantized products.

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

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
  ir::ValueId w = ir::kNoValue, r = ir::kNoValue;
  MICRORT_ASSIGN_OR_RETURN(w, Weights(c, 1, kOwnInputs));
  MICRORT_ASSIGN_OR_RETURN(r, Weights(c, 2, kOwnInputs + 2));
  std::vector<ir::ValueId> inputs = {c.input(0), w, r};
  for (size_t i = inputs.size(); i < kOwnInputs; ++i) inputs.push_back(c.input(i));
  c.Delegate(std::move(inputs), kLstmOpset);
  return FindImporter("", "LSTM")->import(c);
}

}  // namespace

const ImporterList QuantizedLstmImporters = {
    {"com.microsoft.DynamicQuantizeLSTM", 3, 12, ImportDynamicQuantizeLstm, Types(kFloat32)},
};

}  // namespace micrort::frontend::onnx
