#include "converter/quantize/quantized_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "converter/quantize/weight_memo.h"
#include "kernels/base/half.h"

namespace micrort::quantize {
namespace {

// Calls f(element, channel) for every element of the constant.
template <typename F>
void ForEachElement(const ir::Value& constant, int axis, F f) {
  int64_t inner = 1;
  for (int i = axis + 1; i < constant.rank(); ++i) inner *= constant.shape[static_cast<size_t>(i)];
  const int64_t channels = constant.shape[static_cast<size_t>(axis)];
  const int64_t n = constant.elements();
  for (int64_t i = 0; i < n; ++i) f(i, static_cast<size_t>(i / inner % channels));
}

template <typename T>
std::shared_ptr<const ir::Bytes> MakeBytes(const std::vector<T>& elements) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(elements.data());
  return std::make_shared<const ir::Bytes>(bytes, bytes + elements.size() * sizeof(T));
}

}  // namespace

std::vector<float> LargestPerChannel(const ir::Value& constant, int axis) {
  std::vector<float> largest(static_cast<size_t>(constant.shape[static_cast<size_t>(axis)]), 0.0f);
  const float* w = constant.as<float>();
  ForEachElement(constant, axis,
                 [&](int64_t i, size_t c) { largest[c] = std::max(largest[c], std::fabs(w[i])); });
  return largest;
}

std::vector<float> SymmetricScales(const std::vector<float>& largest) {
  std::vector<float> scales(largest.size());
  for (size_t c = 0; c < scales.size(); ++c) scales[c] = std::max(largest[c] / 127.0f, kMinScale);
  return scales;
}

std::vector<float> LeastSquaresScales(const ir::Value& constant, int axis) {
  constexpr int kSteps = 16;  // down to half of the largest weight
  const std::vector<float> widest = SymmetricScales(LargestPerChannel(constant, axis));
  std::vector<float> best = widest, scales(widest.size());
  std::vector<double> least(widest.size(), std::numeric_limits<double>::infinity()), errors(widest.size());
  const float* w = constant.as<float>();
  for (int step = 0; step < kSteps; ++step) {
    const float share = 1.0f - static_cast<float>(step) / (2 * kSteps);
    for (size_t c = 0; c < scales.size(); ++c) scales[c] = std::max(widest[c] * share, kMinScale);
    std::fill(errors.begin(), errors.end(), 0.0);
    ForEachElement(constant, axis, [&](int64_t i, size_t c) {
      const float q = std::clamp(std::nearbyint(w[i] / scales[c]), -127.0f, 127.0f);
      const double error =
          static_cast<double>(w[i]) - static_cast<double>(q) * static_cast<double>(scales[c]);
      errors[c] += error * error;
    });
    for (size_t c = 0; c < scales.size(); ++c) {
      if (errors[c] >= least[c]) continue;
      least[c] = errors[c];
      best[c] = scales[c];
    }
  }
  return best;
}

std::vector<float> WeightScales(const ir::Value& constant, int axis, const PtqCorrection& correction) {
  const auto find = [&] {
    return correction.weight_ranges ? LeastSquaresScales(constant, axis)
                                    : SymmetricScales(LargestPerChannel(constant, axis));
  };
  return correction.memo == nullptr ? find() : correction.memo->Scales(constant, axis, find);
}

ir::Value QuantizePerChannel(const ir::Value& constant, int axis, const std::vector<float>& scales) {
  std::vector<int8_t> quantized(static_cast<size_t>(constant.elements()));
  const float* w = constant.as<float>();
  ForEachElement(constant, axis, [&](int64_t i, size_t c) {
    const double q = std::nearbyint(static_cast<double>(w[i]) / scales[c]);
    quantized[static_cast<size_t>(i)] = static_cast<int8_t>(std::clamp(q, -127.0, 127.0));
  });
  ir::Value out = constant;
  out.dtype = DType::kInt8;
  out.data = MakeBytes(quantized);
  out.quantization = {scales, {}, axis};
  return out;
}

ir::Value QuantizeAdjusted(const ir::Value& constant, int axis, const std::vector<float>& scales,
                           const std::function<void(const RoundedLayer&)>& adjust) {
  ir::Value out = QuantizePerChannel(constant, axis, scales);
  const auto per_channel = static_cast<size_t>(constant.elements()) / scales.size();
  std::vector<float> weights(static_cast<size_t>(constant.elements()));
  std::vector<int8_t> quantized(weights.size());
  std::vector<size_t> next(scales.size()), place(weights.size());
  const float* w = constant.as<float>();
  const int8_t* q = out.as<int8_t>();
  ForEachElement(constant, axis, [&](int64_t i, size_t c) {
    const size_t at = c * per_channel + next[c]++;
    place[static_cast<size_t>(i)] = at;
    weights[at] = w[i];
    quantized[at] = q[i];
  });
  adjust(
      {weights.data(), scales.size(), per_channel, scales.data(), per_channel, -127, 127, quantized.data()});
  std::vector<int8_t> ordered(quantized.size());
  for (size_t i = 0; i < ordered.size(); ++i) ordered[i] = quantized[place[i]];
  out.data = MakeBytes(ordered);
  return out;
}

double Int8WeightSnr(const ir::Value& constant, int axis, const std::vector<float>& scales) {
  const ir::Value quantized = QuantizePerChannel(constant, axis, scales);
  const float* w = constant.as<float>();
  const int8_t* q = quantized.as<int8_t>();
  double signal = 0.0, noise = 0.0;
  ForEachElement(constant, axis, [&](int64_t i, size_t c) {
    const double weight = static_cast<double>(w[i]);
    const double error = weight - q[i] * static_cast<double>(scales[c]);
    signal += weight * weight;
    noise += error * error;
  });
  return noise == 0.0 ? std::numeric_limits<double>::infinity() : 10.0 * std::log10(signal / noise);
}

std::optional<ir::Value> ToHalf(const ir::Value& constant) {
  constexpr float kLargestHalf = 65504.0f;
  std::vector<uint16_t> halves(static_cast<size_t>(constant.elements()));
  const float* w = constant.as<float>();
  for (size_t i = 0; i < halves.size(); ++i) {
    if (!(std::fabs(w[i]) <= kLargestHalf)) return {};
    halves[i] = FloatToHalf(w[i]);
  }
  ir::Value out = constant;
  out.dtype = DType::kFloat16;
  out.data = MakeBytes(halves);
  return out;
}

}  // namespace micrort::quantize
