// Operators on quantized tensors: in floats, between conversions from and to integers, of which passes make
// layers in integers again, as of ONNX's models of this form.

#include "converter/frontend/torchscript/element_types.h"
#include "converter/frontend/torchscript/op_context.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

using schema::ReduceKind;

// Weights of quantized layers, packed with their parameters by PyTorch (linear_prepack, conv2d_prepack).

struct PackedWeights {
  Value weight, bias;  // bias: None where there is none
  // For a convolution, one per spatial dimension.
  std::vector<int64_t> stride, padding, dilation;
  int64_t groups = 1;
};

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

// Reads an object that Pack made, or that the archive holds; false, with the error of the call, for anything
// else.
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

// The integers of a quantized constant as floats.
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

ir::ValueId Quantize(OpContext& c, ir::ValueId x, double scale, int64_t zero_point, DType dtype) {
  if (dtype != DType::kUInt8 && dtype != DType::kInt8) {
    c.Fail(Unsupported("a quantized tensor of {}", Name(dtype)));
    return x;
  }
  const ir::ValueId zero = dtype == DType::kUInt8
                               ? c.build.Constant<uint8_t>({}, {static_cast<uint8_t>(zero_point)})
                               : c.build.Constant<int8_t>({}, {static_cast<int8_t>(zero_point)});
  return c.Onnx("QuantizeLinear", {x, c.build.Scalar(static_cast<float>(scale)), zero});
}

// (self, scale, zero_point, dtype)
void ImportQuantizePerTensor(OpContext& c) {
  c.Return(Quantize(c, c.TensorAt(0), c.Float(1, 1), c.Int(2, 0), c.Type(3, DType::kUInt8)));
}

// Into a tensor of bytes: arguments i and i + 1 are its scale and zero point.
void ReturnQuantized(OpContext& c, ir::ValueId y, size_t i) {
  c.Return(Quantize(c, y, c.Float(i, 1), c.Int(i + 1, 0), DType::kUInt8));
}

void ImportDequantize(OpContext& c) { c.Return(c.DequantizedOf(c.arg(0))); }

// (weight, bias)
void ImportLinearPrepack(OpContext& c) { c.ReturnValue(Pack({c.arg(0), c.arg(1), {}, {}, {}, 1})); }

// (weight, bias, stride, padding, dilation, groups)
void ImportConvPrepack(OpContext& c) {
  c.ReturnValue(Pack({c.arg(0), c.arg(1), c.Ints(2), c.Ints(3), c.Ints(4), c.Int(5, 1)}));
}

void ImportUnpack(OpContext& c) {
  PackedWeights packed;
  if (Unpack(c, c.arg(0), &packed))
    c.ReturnValue(Value::Sequence(Kind::kTuple, {packed.weight, packed.bias}));
}

ir::ValueId BiasOf(OpContext& c, const PackedWeights& packed) {
  return packed.bias.is_none() ? ir::kNoValue : c.TensorOf(packed.bias);
}

ir::ValueId LinearOf(OpContext& c, ir::ValueId x, const PackedWeights& packed) {
  const ir::ValueId w = DequantizedWeight(c, packed.weight), bias = BiasOf(c, packed);
  if (c.rank(x) == 2) return c.Onnx("Gemm", {x, w, bias}, {{"transB", int64_t{1}}});
  const ir::ValueId y = c.Onnx("MatMul", {x, c.Onnx("Transpose", {w})});
  return bias == ir::kNoValue ? y : c.build.Add(y, bias);
}

// (x, packed, scale, zero_point)
template <bool relu>
void ImportLinear8(OpContext& c) {
  PackedWeights packed;
  if (!Unpack(c, c.arg(1), &packed)) return;
  const ir::ValueId y = LinearOf(c, c.DequantizedOf(c.arg(0)), packed);
  ReturnQuantized(c, relu ? c.Onnx("Relu", {y}) : y, 2);
}

template <bool relu>
void ImportConv8(OpContext& c) {
  PackedWeights p;
  if (!Unpack(c, c.arg(1), &p)) return;
  std::vector<int64_t> pads = p.padding;
  pads.insert(pads.end(), p.padding.begin(), p.padding.end());
  const ir::ValueId y =
      c.Onnx("Conv", {c.DequantizedOf(c.arg(0)), DequantizedWeight(c, p.weight), BiasOf(c, p)},
             {{"strides", p.stride}, {"pads", pads}, {"dilations", p.dilation}, {"group", p.groups}});
  ReturnQuantized(c, relu ? c.Onnx("Relu", {y}) : y, 2);
}

// (a, b, scale, zero_point)
void OnTwo(OpContext& c, const char* op, bool relu) {
  const ir::ValueId y = c.Onnx(op, {c.DequantizedOf(c.arg(0)), c.DequantizedOf(c.arg(1))});
  ReturnQuantized(c, relu ? c.Onnx("Relu", {y}) : y, 2);
}

void ImportAdd8(OpContext& c) { OnTwo(c, "Add", false); }
void ImportAddRelu8(OpContext& c) { OnTwo(c, "Add", true); }
void ImportMul8(OpContext& c) { OnTwo(c, "Mul", false); }

// (tensors, dim, scale, zero_point)
void ImportCat8(OpContext& c) {
  std::vector<ir::ValueId> parts;
  if (!c.arg(0).is_sequence() || c.arg(0).items->empty()) return c.Fail(Invalid("expected tensors"));
  for (const Value& part : *c.arg(0).items) parts.push_back(c.DequantizedOf(part));
  const int axis = c.Axis(1, c.rank(parts[0]), 0);
  ReturnQuantized(c, c.Onnx("Concat", parts, {{"axis", int64_t{axis}}}), 2);
}

// (x, scale, zero_point)
void ImportHardSwish8(OpContext& c) {
  ReturnQuantized(c, c.Onnx("HardSwish", {c.DequantizedOf(c.arg(0))}), 1);
}
void ImportSigmoid8(OpContext& c) { ReturnQuantized(c, c.build.Sigmoid(c.DequantizedOf(c.arg(0))), 1); }

// What x is to an integer layer whose input is quantized by its own range: 0 to 127 if `reduces`, else to
// 255, as floats. Source: ATen/native/quantized/cpu/QuantUtils.h.
ir::ValueId RoundedByRange(OpContext& c, ir::ValueId x, bool reduces) {
  const double most = reduces ? 127 : 255;
  const auto constant = [&](double v) { return c.build.Scalar(static_cast<float>(v)); };
  const std::vector<int32_t> axes = ir::AxesFrom(0, c.rank(x));
  const ir::ValueId low = c.Onnx("Min", {c.build.Reduce(ReduceKind::Min, x, axes, false), constant(0)});
  const ir::ValueId high = c.Onnx("Max", {c.build.Reduce(ReduceKind::Max, x, axes, false), constant(0)});
  const ir::ValueId range = c.Onnx("Div", {c.build.Sub(high, low), constant(most)});
  const ir::ValueId scale = c.build.Select({c.build.Equal(range, constant(0)), constant(0.1), range});
  // The zero point comes from the end where it is more exact.
  const ir::ValueId below = c.build.Div(low, scale), above = c.build.Div(high, scale);
  const ir::ValueId from_high = c.build.Sub(constant(most), above);
  const ir::ValueId is_low =
      c.Onnx("Less", {c.build.Abs(below), c.Onnx("Add", {constant(most), c.build.Abs(above)})});
  const ir::ValueId exact = c.build.Select({is_low, c.build.Neg(below), from_high});
  const ir::ValueId zero = c.Onnx("Clip", {c.build.Round(exact), constant(0), constant(most)});
  const ir::ValueId steps = c.build.Add(c.build.Round(c.build.Div(x, scale)), zero);
  const ir::ValueId kept = c.Onnx("Clip", {steps, constant(0), constant(255)});
  return c.build.Mul(c.build.Sub(kept, zero), scale);
}

// (x, packed, reduce_range)
template <bool relu>
void ImportLinearDynamic(OpContext& c) {
  PackedWeights packed;
  if (!Unpack(c, c.arg(1), &packed)) return;
  const ir::ValueId y = LinearOf(c, RoundedByRange(c, c.TensorAt(0), c.Bool(2, false)), packed);
  c.Return(relu ? c.Onnx("Relu", {y}) : y);
}

constexpr char kLayer[] = "x packed scale zero_point";
constexpr char kTwo8[] = "a b scale zero_point";
constexpr char kConvPack[] = "weight bias stride padding dilation groups";

}  // namespace

const ImporterList QuantizedOps = {
    {"dequantize", "self", ImportDequantize},
    {"quantize_per_tensor", "self scale zero_point dtype", ImportQuantizePerTensor},
    {"quantized::add", kTwo8, ImportAdd8},
    {"quantized::add_relu", kTwo8, ImportAddRelu8},
    {"quantized::cat", "tensors dim scale zero_point", ImportCat8},
    {"quantized::conv1d", kLayer, ImportConv8<false>},
    {"quantized::conv1d_prepack", kConvPack, ImportConvPrepack},
    {"quantized::conv1d_relu", kLayer, ImportConv8<true>},
    {"quantized::conv2d", kLayer, ImportConv8<false>},
    {"quantized::conv2d_prepack", kConvPack, ImportConvPrepack},
    {"quantized::conv2d_relu", kLayer, ImportConv8<true>},
    {"quantized::conv2d_unpack", "packed", ImportUnpack},
    {"quantized::hardswish", "x scale zero_point", ImportHardSwish8},
    {"quantized::linear", kLayer, ImportLinear8<false>},
    {"quantized::linear_dynamic", "x packed reduce_range", ImportLinearDynamic<false>},
    {"quantized::linear_prepack", "weight bias", ImportLinearPrepack},
    {"quantized::linear_relu", kLayer, ImportLinear8<true>},
    {"quantized::linear_relu_dynamic", "x packed reduce_range", ImportLinearDynamic<true>},
    {"quantized::linear_unpack", "packed", ImportUnpack},
    {"quantized::mul", kTwo8, ImportMul8},
    {"quantized::sigmoid", "x scale zero_point", ImportSigmoid8},
};

}  // namespace micrort::frontend::torchscript
