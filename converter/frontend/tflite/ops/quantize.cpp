// Between types. Values are real numbers to importers, so QUANTIZE and DEQUANTIZE have nothing left to do:
// what they return is quantized as their output says.

#include <cmath>

#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"
#include "kernels/elementwise/unary_s16.h"

namespace micrort::frontend::tflite {

namespace {

// kInvalidModel unless the tensor has one scale.
Status OneScale(const fb::Tensor& tensor, const char* role, ir::Quantization* out) {
  MICRORT_RETURN_IF_ERROR(ReadQuantization(tensor, out));
  if (out->scales.size() == 1) return Status();
  return Invalid("the {} has {} scales: integers become others by one scale each", role, out->scales.size());
}

// 32 bits are more than float holds: such integers become others without being real numbers between.
Status ImportQuantize(OpContext& c) {
  const DType from = DTypeOf(c.op.tensor(0).type());
  const DType to = DTypeOf(c.op.output_tensor(0).type());
  const bool is_real = from == DType::kFloat32;
  if (!c.op.wants_output(0) || (is_real && to != DType::kInt32)) return c.Return(c.input(0));
  ir::Quantization given = {{1.0f}, {0}}, wanted;
  if (!is_real) MICRORT_RETURN_IF_ERROR(OneScale(c.op.tensor(0), "input", &given));
  MICRORT_RETURN_IF_ERROR(OneScale(c.op.output_tensor(0), "output", &wanted));
  if (is_real) {
    c.SetStoredOutput(0, Requantized(c.build, c.input(0), given, to, wanted));
    return c.build.status();
  }
  const auto form = [](DType dtype, const ir::Quantization& q) {
    return ElementFormat{dtype, true, {q.scales[0], q.zero_points.empty() ? 0 : q.zero_points[0]}};
  };
  UnaryS16Op op;
  const bool is_narrow = from != DType::kInt32 || to != DType::kInt32;
  if (is_narrow && PlanUnaryS16({}, form(from, given), form(to, wanted), &op)) {
    // Values of other types are numbers until somebody reads them as these.
    c.build.graph().value(c.stored(0)).quantization = given;
    return ReturnInt16(c, schema::UnaryKind::Identity);
  }
  if (from != DType::kInt32 && to != DType::kInt32) return c.Return(c.input(0));
  c.SetStoredOutput(0, Requantized(c.build, c.stored(0), given, to, wanted));
  return c.build.status();
}

Status ImportDequantize(OpContext& c) {
  ir::ValueId x = c.input(0);
  if (c.value(x).dtype == DType::kInt32 && IsQuantized(c.op.tensor(0))) {
    ir::Quantization quantization;
    MICRORT_RETURN_IF_ERROR(OneScale(c.op.tensor(0), "input", &quantization));
    x = Dequantized(c.build, x, quantization);
  }
  return c.Return(c.build.As(x, DType::kFloat32));
}

// Sparse constants are read as what they stand for.
Status ImportDensify(OpContext& c) {
  c.SetStoredOutput(0, c.stored(0));
  return c.build.status();
}

// Bare numbers, whatever their quantization.
Status ImportCast(OpContext& c) {
  c.SetStoredOutput(0, c.stored(0));
  return c.build.status();
}

// Rounded to the grid that min, max and the number of bits make, with zero on it.
Status ImportFakeQuant(OpContext& c) {
  const auto o = c.op.Options<fb::FakeQuantOptionsT>();
  if (o.num_bits < 2 || o.num_bits > 16 || !(o.min <= 0 && o.max >= 0) || !(o.max > o.min))
    return Invalid("{} bits from {} to {}", o.num_bits, o.min, o.max);
  const float lowest = o.narrow_range ? 1.0f : 0.0f;
  const auto highest = static_cast<float>((1 << o.num_bits) - 1);
  const float scale = (o.max - o.min) / (highest - lowest);
  const float zero_point = std::round(lowest - o.min / scale);
  ir::ValueId y = c.build.Div(c.input(0), c.build.Scalar(scale));
  y = c.build.Unary(schema::UnaryKind::Clip, y, lowest - zero_point, highest - zero_point);
  y = c.build.Round(y);
  return c.Return(c.build.Mul(y, c.build.Scalar(scale)));
}

}  // namespace

const ImporterList QuantizeImporters = {
    {"CAST", 1, 1, ImportCast, Types(kAllTypes)},
    {"DENSIFY", 1, 1, ImportDensify, Types(kFloats | kBytes)},
    {"DEQUANTIZE", 1, 1, ImportDequantize,
     Types(kBytes | TypesOf(DType::kInt16, DType::kInt32, DType::kFloat16))},
    {"FAKE_QUANT", 1, 1, ImportFakeQuant, Types(kFloat32)},
    {"QUANTIZE", 1, 1, ImportQuantize, Types(kFloat32 | kBytes | TypesOf(DType::kInt16, DType::kInt32))},
};

}  // namespace micrort::frontend::tflite
