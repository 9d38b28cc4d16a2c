// Layers as torch.utils.mobile_optimizer packs them for XNNPACK: with their weights and the bounds of their
// outputs in one object.

#include <cmath>

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// What the object of argument 1 restores itself from; fewer than `count` values are an error of the call.
const std::vector<Value>* PackedState(OpContext& c, size_t count) {
  const Value& object = c.arg(1);
  const bool fits = object.Is(Kind::kObject) && object.object->state != nullptr &&
                    object.object->state->is_sequence() && object.object->state->items->size() == count;
  if (fits) return object.object->state->items.get();
  c.Fail(Unsupported("packed weights of an unknown form"));
  return nullptr;
}

std::vector<int64_t> IntsOf(OpContext& c, const Value& list) {
  std::vector<int64_t> ints;
  if (!list.is_sequence() || !OpContext::IsKnown(list)) {
    c.Fail(Unsupported("packed weights of an unknown form"));
    return ints;
  }
  for (const Value& item : *list.items) ints.push_back(item.integer);
  return ints;
}

ir::ValueId BiasOrNone(OpContext& c, const Value& bias) {
  return bias.is_none() ? ir::kNoValue : c.TensorOf(bias);
}

// Infinite bounds, or none, bound nothing.
void ReturnBounded(OpContext& c, ir::ValueId y, const Value& low, const Value& high) {
  const auto bound = [&](const Value& v) {
    const bool is_bound = v.is_scalar() && !v.is_computed() && std::isfinite(v.AsDouble());
    return is_bound ? c.Scalar(c.dtype(y), v.AsDouble()) : ir::kNoValue;
  };
  const ir::ValueId min = bound(low), max = bound(high);
  const bool is_bounded = min != ir::kNoValue || max != ir::kNoValue;
  c.Return(is_bounded ? c.Onnx("Clip", {y, min, max}) : y);
}

// (weight, bias, stride, padding, output_padding if transposed, dilation, groups, min, max)
template <bool transposed>
void ImportConvClamp(OpContext& c) {
  const std::vector<Value>* state = PackedState(c, transposed ? 9 : 8);
  if (state == nullptr) return;
  const Value* s = state->data();
  std::vector<int64_t> pads = IntsOf(c, s[3]);
  const std::vector<int64_t> ends = pads;
  pads.insert(pads.end(), ends.begin(), ends.end());
  std::vector<Attribute> attributes = {{"strides", IntsOf(c, s[2])}, {"pads", pads}};
  if (transposed) attributes.push_back({"output_padding", IntsOf(c, (s++)[4])});
  attributes.push_back({"dilations", IntsOf(c, s[4])});
  attributes.push_back({"group", s[5].integer});
  const char* op = transposed ? "ConvTranspose" : "Conv";
  const ir::ValueId y =
      c.Onnx(op, {c.TensorAt(0), c.TensorOf((*state)[0]), BiasOrNone(c, (*state)[1])}, attributes);
  ReturnBounded(c, y, s[6], s[7]);
}

// (weight, bias, min, max)
void ImportLinearClamp(OpContext& c) {
  const std::vector<Value>* s = PackedState(c, 4);
  if (s == nullptr) return;
  const ir::ValueId x = c.TensorAt(0), w = c.TensorOf((*s)[0]), bias = BiasOrNone(c, (*s)[1]);
  ir::ValueId y = ir::kNoValue;
  if (c.rank(x) == 2) {
    y = c.Onnx("Gemm", {x, w, bias}, {{"transB", int64_t{1}}});
  } else {
    y = c.Onnx("MatMul", {x, c.Onnx("Transpose", {w})});
    if (bias != ir::kNoValue) y = c.build.Add(y, bias);
  }
  ReturnBounded(c, y, (*s)[2], (*s)[3]);
}

}  // namespace

const ImporterList PrepackedOps = {
    {"prepacked::conv2d_clamp_run", "x packed", ImportConvClamp<false>},
    {"prepacked::conv2d_transpose_clamp_run", "x packed", ImportConvClamp<true>},
    {"prepacked::linear_clamp_run", "x packed", ImportLinearClamp},
};

}  // namespace micrort::frontend::torchscript
