// Between floats and integers.

#include <cmath>

#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend {

namespace {

// Zero points of any integer type of at most 32 bits.
bool ReadZeroPoints(const ir::Value& v, std::vector<int32_t>* out) {
  std::vector<int64_t> integers;
  if (ir::IntegersOf(v, &integers)) {
    out->assign(integers.begin(), integers.end());
    return true;
  }
  if (!v.is_constant() || (v.dtype != DType::kInt8 && v.dtype != DType::kUInt8)) return false;
  const auto n = static_cast<size_t>(v.elements());
  out->clear();
  for (size_t i = 0; i < n; ++i) {
    out->push_back(v.dtype == DType::kInt8 ? v.as<int8_t>()[i] : v.as<uint8_t>()[i]);
  }
  return true;
}

// Inputs 1 (scale) and 2 (zero point, optional), both constant.
Status ReadQuantization(NodeContext& c, ir::Quantization* out) {
  MICRORT_RETURN_IF_ERROR(c.ConstantFloats(1, &out->scales));
  if (c.has_input(2) && !ReadZeroPoints(c.x(2), &out->zero_points)) {
    return MICRORT_ERROR(kUnsupported, "the zero point must be constant");
  }
  const int64_t axis = c.Int("axis", 1);
  if (c.Int("block_size", 0) != 0) return MICRORT_ERROR(kUnsupported, "quantization in blocks");
  if (c.x(1).rank() > 1) return MICRORT_ERROR(kUnsupported, "scales of %d dimensions", c.x(1).rank());
  if (c.has_input(2) && out->zero_points.size() != out->scales.size()) {
    return MICRORT_ERROR(kInvalidModel, "%zu scales, %zu zero points", out->scales.size(),
                         out->zero_points.size());
  }
  for (float scale : out->scales) {
    if (!std::isfinite(scale) || scale <= 0)
      return MICRORT_ERROR(kInvalidModel, "scale %g", static_cast<double>(scale));
  }
  if (out->scales.size() == 1) return Status();
  MICRORT_RETURN_IF_ERROR(c.Axis(axis, c.x(0).rank(), &out->axis));
  const int64_t size = c.x(0).shape[static_cast<size_t>(out->axis)];
  if (static_cast<int64_t>(out->scales.size()) != size) {
    return MICRORT_ERROR(kInvalidModel, "%zu scales for %lld slices", out->scales.size(),
                         static_cast<long long>(size));
  }
  return Status();
}

Status ImportQuantizeLinear(NodeContext& c) {
  c.Ignore({"saturate"});
  ir::Quantization quantization;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(c, &quantization));
  if (c.Int("output_dtype", 0) != 0) return MICRORT_ERROR(kUnsupported, "output_dtype");
  const DType dtype = c.has_input(2) ? c.x(2).dtype : DType::kUInt8;
  return c.Return(c.build.Quantize(c.input(0), dtype, std::move(quantization)));
}

// The numbers of `list` along `axis` of `rank` dimensions; of one number, a scalar.
ir::ValueId AlongAxis(NodeContext& c, const std::vector<float>& list, int axis, int rank) {
  if (axis < 0) return c.build.Scalar(list[0]);
  std::vector<int64_t> shape(static_cast<size_t>(rank), 1);
  shape[static_cast<size_t>(axis)] = static_cast<int64_t>(list.size());
  return c.build.Constant(shape, list);
}

// (x - zero_point) * scale in floats, for what our Dequantize does not do: integers of 32 bits, or one value
// read with two different quantizations.
ir::ValueId DequantizeByArithmetic(NodeContext& c, const ir::Quantization& q) {
  const int rank = c.x().rank();
  ir::ValueId y = c.build.Cast(c.input(0), DType::kFloat32);
  if (!q.zero_points.empty()) {
    const std::vector<float> zero_points(q.zero_points.begin(), q.zero_points.end());
    y = c.build.Binary(schema::BinaryKind::Sub, y, AlongAxis(c, zero_points, q.axis, rank));
  }
  return c.build.Binary(schema::BinaryKind::Mul, y, AlongAxis(c, q.scales, q.axis, rank));
}

// In our graphs the quantization belongs to the value that is read.
Status ImportDequantizeLinear(NodeContext& c) {
  ir::Quantization quantization;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(c, &quantization));
  ir::Value& x = c.build.graph().value(c.input(0));
  const bool byte = x.dtype == DType::kInt8 || x.dtype == DType::kUInt8;
  if (byte && x.quantization.empty()) x.quantization = quantization;
  if (byte && x.quantization == quantization) {
    return c.Return(c.build.Add(schema::DequantizeOptionsT(), {c.input(0)}));
  }
  return c.Return(DequantizeByArithmetic(c, quantization));
}

constexpr OpImporter kImporters[] = {
    {"DequantizeLinear", 2, 3, ImportDequantizeLinear},
    {"QuantizeLinear", 2, 3, ImportQuantizeLinear},
};

}  // namespace

Span<const OpImporter> QuantizeImporters() { return kImporters; }

}  // namespace micrort::frontend
