// Operators on quantized tensors: in floats, between conversions from and to integers, of which passes make
// layers in integers again, as of ONNX's models of this form.

#include "converter/frontend/torchscript/element_types.h"
#include "converter/frontend/torchscript/ops/packed_weights.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

using schema::ReduceKind;

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
  return bias == ir::kNoValue ? y : c.Onnx("Add", {y, bias});
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
void ImportSigmoid8(OpContext& c) { ReturnQuantized(c, c.Onnx("Sigmoid", {c.DequantizedOf(c.arg(0))}), 1); }

// What x is to an integer layer whose input is quantized by its own range: 0 to 127 if `reduces`, else to
// 255, as floats. Source: ATen/native/quantized/cpu/QuantUtils.h.
ir::ValueId RoundedByRange(OpContext& c, ir::ValueId x, bool reduces) {
  const double most = reduces ? 127 : 255;
  const auto constant = [&](double v) { return c.build.Scalar(static_cast<float>(v)); };
  const std::vector<int32_t> axes = ir::AxesFrom(0, c.rank(x));
  const ir::ValueId low = c.Onnx("Min", {c.build.Reduce(ReduceKind::Min, x, axes, false), constant(0)});
  const ir::ValueId high = c.Onnx("Max", {c.build.Reduce(ReduceKind::Max, x, axes, false), constant(0)});
  const ir::ValueId range = c.Onnx("Div", {c.Onnx("Sub", {high, low}), constant(most)});
  const ir::ValueId scale = c.Onnx("Where", {c.Onnx("Equal", {range, constant(0)}), constant(0.1), range});
  // The zero point comes from the end where it is more exact.
  const ir::ValueId below = c.Onnx("Div", {low, scale}), above = c.Onnx("Div", {high, scale});
  const ir::ValueId from_high = c.Onnx("Sub", {constant(most), above});
  const ir::ValueId is_low =
      c.Onnx("Less", {c.Onnx("Abs", {below}), c.Onnx("Add", {constant(most), c.Onnx("Abs", {above})})});
  const ir::ValueId exact = c.Onnx("Where", {is_low, c.Onnx("Neg", {below}), from_high});
  const ir::ValueId zero = c.Onnx("Clip", {c.Onnx("Round", {exact}), constant(0), constant(most)});
  const ir::ValueId steps = c.Onnx("Add", {c.Onnx("Round", {c.Onnx("Div", {x, scale})}), zero});
  const ir::ValueId kept = c.Onnx("Clip", {steps, constant(0), constant(255)});
  return c.Onnx("Mul", {c.Onnx("Sub", {kept, zero}), scale});
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
