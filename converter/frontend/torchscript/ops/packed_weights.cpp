#include "converter/frontend/torchscript/ops/packed_weights.h"

namespace micrort::frontend::torchscript {

namespace {

bool Refuse(OpContext& c) {
  c.Fail(Unsupported("packed weights of an unknown form"));
  return false;
}

// A vector of integers: spatial dimensions, then for each stride, padding, dilation and output padding, then
// groups and whether the convolution is transposed. Source: ATen/native/quantized/cpu/conv_serialization.h.
bool ReadParameters(OpContext& c, const Value& parameters, PackedWeights* out) {
  if (!parameters.is_tensor()) return Refuse(c);
  const ir::ValueId id = c.TensorOf(parameters);
  std::vector<int64_t> v;
  if (!ir::AnyIntegersOf(c.value(id), &v) || v.empty() || v[0] < 1 || v[0] > 3) return Refuse(c);
  const auto spatial = static_cast<size_t>(v[0]);
  if (v.size() != 3 + 4 * spatial || v.back() != 0) return Refuse(c);
  const auto part = [&](size_t i) {
    const auto begin = v.begin() + static_cast<std::ptrdiff_t>(1 + i * spatial);
    return std::vector<int64_t>(begin, begin + static_cast<std::ptrdiff_t>(spatial));
  };
  out->stride = part(0);
  out->padding = part(1);
  out->dilation = part(2);
  out->groups = v[v.size() - 2];
  return true;
}

}  // namespace

Value Pack(const PackedWeights& packed) {
  auto object = std::make_shared<Object>();
  object->class_name = "packed weights";
  object->Set("weight", packed.weight);
  object->Set("bias", packed.bias);
  object->Set("stride", Value::Ints(packed.stride));
  object->Set("padding", Value::Ints(packed.padding));
  object->Set("dilation", Value::Ints(packed.dilation));
  object->Set("groups", Value::Int(packed.groups));
  return Value::OfObject(std::move(object));
}

bool Unpack(OpContext& c, const Value& object, PackedWeights* out) {
  if (!object.Is(Kind::kObject)) return Refuse(c);
  if (const Value* weight = object.object->Find("weight")) {
    const Value* groups = object.object->Find("groups");
    const Value* bias = object.object->Find("bias");
    if (groups == nullptr || bias == nullptr) return Refuse(c);
    *out = {*weight, *bias, {}, {}, {}, groups->integer};
    const std::pair<const char*, std::vector<int64_t>*> lists[] = {
        {"stride", &out->stride}, {"padding", &out->padding}, {"dilation", &out->dilation}};
    for (const auto& [name, ints] : lists) {
      const Value* list = object.object->Find(name);
      if (list == nullptr || !list->is_sequence() || !OpContext::IsKnown(*list)) return Refuse(c);
      for (const Value& item : *list->items) ints->push_back(item.integer);
    }
    return true;
  }
  const std::shared_ptr<Value>& state = object.object->state;
  if (state == nullptr || !state->is_sequence()) return Refuse(c);
  const std::vector<Value>& parts = *state->items;
  if (parts.size() == 2 && parts[0].is_tensor()) {  // of a linear layer
    *out = {parts[0], parts[1], {}, {}, {}, 1};
    return true;
  }
  const bool is_conv = parts.size() == 3 && parts[1].is_sequence() && parts[1].items->size() == 2 &&
                       parts[2].is_sequence() && parts[2].items->size() == 1;
  if (!is_conv) return Refuse(c);
  out->weight = (*parts[1].items)[1];
  out->bias = (*parts[2].items)[0];
  return ReadParameters(c, (*parts[1].items)[0], out);
}

ir::ValueId DequantizedWeight(OpContext& c, const Value& weight) {
  const ir::ValueId id = c.TensorOf(weight);
  if (weight.tensor == nullptr || weight.tensor->stored == nullptr) {
    c.Fail(Unsupported("quantized weights that are computed"));
    return id;
  }
  const ir::Quantization& whole = weight.tensor->stored->quantization;
  if (weight.items == nullptr) {
    const bool is_int8 = c.dtype(id) == DType::kInt8 && whole.scales.size() == 1;
    if (!is_int8) {
      c.Fail(Unsupported("weights of type {}", Name(c.dtype(id))));
      return id;
    }
    const auto zero_point = static_cast<int8_t>(whole.zero_points[0]);
    return c.Onnx("DequantizeLinear",
                  {id, c.build.Scalar(whole.scales[0]), c.build.Constant<int8_t>({}, {zero_point})});
  }
  // (scheme, scales, zero points, axis)
  const std::vector<Value>& channels = *weight.items;
  const ir::ValueId scales = c.CastTo(c.TensorOf(channels[1]), DType::kFloat32);
  const ir::ValueId zero_points = c.CastTo(c.TensorOf(channels[2]), c.dtype(id));
  return c.Onnx("DequantizeLinear", {id, scales, zero_points}, {{"axis", channels[3].integer}});
}

}  // namespace micrort::frontend::torchscript
