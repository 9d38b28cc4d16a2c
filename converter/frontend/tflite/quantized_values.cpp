#include "converter/frontend/tflite/quantized_values.h"

#include <cmath>
#include <limits>

#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

namespace {

int32_t ZeroPointOf(const ir::Quantization& q) { return q.zero_points.empty() ? 0 : q.zero_points[0]; }

struct IntegerRange {
  int32_t lowest, highest;
};

IntegerRange IntegersOf(DType dtype) {
  if (dtype == DType::kInt8) return {std::numeric_limits<int8_t>::min(), std::numeric_limits<int8_t>::max()};
  if (dtype == DType::kUInt8) return {0, std::numeric_limits<uint8_t>::max()};
  if (dtype == DType::kInt32)
    return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  return {std::numeric_limits<int16_t>::min(), std::numeric_limits<int16_t>::max()};
}

}  // namespace

bool IsQuantizedActivation(const fb::Tensor& tensor) {
  const DType dtype = DTypeOf(tensor.type());
  return IsQuantized(tensor) && (HasIntegerKernels(dtype) || dtype == DType::kInt16);
}

bool HasIntegerKernels(DType dtype) { return dtype == DType::kInt8 || dtype == DType::kUInt8; }

ir::ValueId Dequantized(ir::Builder& builder, ir::ValueId integers, const ir::Quantization& quantization) {
  if (HasIntegerKernels(builder.graph().value(integers).dtype))
    return builder.Add(schema::DequantizeOptionsT(), {integers});
  ir::ValueId y = builder.Cast(integers, DType::kFloat32);
  const int32_t zero_point = ZeroPointOf(quantization);
  if (zero_point != 0) y = builder.Sub(y, builder.Scalar(static_cast<float>(zero_point)));
  return builder.Mul(y, builder.Scalar(quantization.scales[0]));
}

ir::ValueId QuantizedTo(ir::Builder& builder, ir::ValueId real, DType dtype,
                        const ir::Quantization& quantization) {
  if (HasIntegerKernels(dtype)) return builder.Quantize(real, dtype, quantization);
  return builder.AddFixed(schema::QuantizeOptionsT(), {real}, dtype, quantization);
}

ir::ValueId Requantized(ir::Builder& builder, ir::ValueId integers, const ir::Quantization& given,
                        DType dtype, const ir::Quantization& wanted) {
  const auto number = [&](double v) { return builder.Constant<double>({}, {v}); };
  const auto [lowest, highest] = IntegersOf(dtype);
  const double scale = static_cast<double>(given.scales[0]) / static_cast<double>(wanted.scales[0]);
  ir::ValueId y = builder.Cast(integers, DType::kFloat64);
  y = builder.Sub(y, number(ZeroPointOf(given)));
  y = builder.Mul(y, number(scale));
  y = builder.Round(y);
  y = builder.Add(y, number(ZeroPointOf(wanted)));
  y = builder.Max(y, number(lowest));
  y = builder.Min(y, number(highest));
  return builder.Cast(y, dtype);
}

bool StaysWithin(DType dtype, const ir::Quantization& quantization, float lowest, float highest) {
  const IntegerRange range = IntegersOf(dtype);
  const auto integer = [&](float x) {
    return std::nearbyint(x / quantization.scales[0]) + static_cast<float>(ZeroPointOf(quantization));
  };
  return integer(lowest) <= static_cast<float>(range.lowest) &&
         integer(highest) >= static_cast<float>(range.highest);
}

ir::ValueId Saturated(ir::Builder& builder, ir::ValueId real, DType dtype,
                      const ir::Quantization& quantization) {
  const IntegerRange range = IntegersOf(dtype);
  const auto number = [&](int32_t q) {
    return static_cast<float>(q - ZeroPointOf(quantization)) * quantization.scales[0];
  };
  return builder.Unary(schema::UnaryKind::Clip, real, number(range.lowest), number(range.highest));
}

ir::ValueId StoredForm::Real(ir::ValueId stored, ir::Builder& builder) const {
  return quantization.empty() ? stored : Dequantized(builder, stored, quantization);
}

ir::ValueId StoredForm::Stored(ir::ValueId real, ir::Builder& builder) const {
  return quantization.empty() ? real : QuantizedTo(builder, real, dtype, quantization);
}

}  // namespace micrort::frontend::tflite
