// Quantization that was simulated in training: it becomes the same pair of operators that other formats have.

#include <algorithm>
#include <cmath>

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// The range is moved so that 0 is one of the steps, as TensorFlow nudges it.
Status NudgedQuantization(float low, float high, int64_t bits, bool narrow, ir::Quantization* out) {
  if (!(low <= 0) || !(high >= 0) || !(high > low) || !std::isfinite(low) || !std::isfinite(high)) {
    return MICRORT_ERROR(kInvalidModel, "the range [%g, %g]", static_cast<double>(low),
                         static_cast<double>(high));
  }
  if (bits != 8) return MICRORT_ERROR(kUnsupported, "num_bits %lld", static_cast<long long>(bits));
  const float least = narrow ? 1.0f : 0.0f, most = 255.0f;
  const float scale = (high - low) / (most - least);
  const float zero = std::min(std::max(std::round(least - low / scale), least), most);
  out->scales = {scale};
  out->zero_points = {static_cast<int32_t>(zero)};
  return Status();
}

Status FakeQuantize(OpContext& c, float low, float high) {
  ir::Quantization quantization;
  const bool narrow = c.Bool("narrow_range", false);
  MICRORT_RETURN_IF_ERROR(NudgedQuantization(low, high, c.Int("num_bits", 8), narrow, &quantization));
  const float scale = quantization.scales[0];
  const auto zero = static_cast<float>(quantization.zero_points[0]);
  ir::ValueId x = c.input(0);
  // What lies under the least step of a narrow range would be one step more.
  if (narrow) x = c.build.Unary(schema::UnaryKind::Clip, x, (1 - zero) * scale, (255 - zero) * scale);
  const ir::ValueId q = c.build.Quantize(x, DType::kUInt8, quantization);
  return c.Return(c.build.Add(schema::DequantizeOptionsT(), {q}, DType::kFloat32));
}

Status ImportFakeQuantArgs(OpContext& c) { return FakeQuantize(c, c.Float("min", -6), c.Float("max", 6)); }

Status ImportFakeQuantVars(OpContext& c) {
  std::vector<float> low, high;
  MICRORT_RETURN_IF_ERROR(c.ConstantFloats(1, &low));
  MICRORT_RETURN_IF_ERROR(c.ConstantFloats(2, &high));
  if (low.size() != 1 || high.size() != 1) return MICRORT_ERROR(kInvalidModel, "ranges of several values");
  return FakeQuantize(c, low[0], high[0]);
}

// One range for each slice of the last dimension. Signed, so that ranges around 0 have their zero at 0.
Status ImportFakeQuantChannels(OpContext& c) {
  std::vector<float> low, high, least, most;
  MICRORT_RETURN_IF_ERROR(c.ConstantFloats(1, &low));
  MICRORT_RETURN_IF_ERROR(c.ConstantFloats(2, &high));
  if (c.rank() < 1 || low.size() != high.size() || low.empty() ||
      c.x().shape.back() != static_cast<int64_t>(low.size())) {
    return MICRORT_ERROR(kInvalidModel, "%zu and %zu ends of ranges", low.size(), high.size());
  }
  const bool narrow = c.Bool("narrow_range", false);
  ir::Quantization all;
  for (size_t i = 0; i < low.size(); ++i) {
    ir::Quantization one;
    MICRORT_RETURN_IF_ERROR(NudgedQuantization(low[i], high[i], c.Int("num_bits", 8), narrow, &one));
    const int32_t zero = one.zero_points[0] - 128;
    all.scales.push_back(one.scales[0]);
    all.zero_points.push_back(zero);
    least.push_back(static_cast<float>(-127 - zero) * one.scales[0]);
    most.push_back(static_cast<float>(127 - zero) * one.scales[0]);
  }
  all.axis = c.rank() - 1;
  ir::ValueId x = c.input(0);
  if (narrow) {
    const auto channels = static_cast<int64_t>(low.size());
    x = c.build.Binary(schema::BinaryKind::Max, x, c.build.Constant({channels}, least));
    x = c.build.Binary(schema::BinaryKind::Min, x, c.build.Constant({channels}, most));
  }
  const ir::ValueId q = c.build.Quantize(x, DType::kInt8, all);
  return c.Return(c.build.Add(schema::DequantizeOptionsT(), {q}, DType::kFloat32));
}

}  // namespace

Span<const OpImporter> QuantizationOps() {
  static constexpr OpImporter kImporters[] = {
      {"FakeQuantWithMinMaxArgs", 1, 1, ImportFakeQuantArgs, "other than 8 bits"},
      {"FakeQuantWithMinMaxVars", 3, 3, ImportFakeQuantVars,
       "ranges that are not constant; other than 8 bits"},
      {"FakeQuantWithMinMaxVarsPerChannel", 3, 3, ImportFakeQuantChannels,
       "ranges that are not constant; other than 8 bits"},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
