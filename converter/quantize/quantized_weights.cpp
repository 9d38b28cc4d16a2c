#include "converter/quantize/quantized_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "converter/quantize/round_even.h"
#include "converter/quantize/weight_memo.h"
#include "converter/simd/floats.h"
#include "converter/threads/each_range.h"
#include "kernels/base/half.h"

namespace micrort::quantize {
namespace {

// How a constant's elements lie along an axis: `outer` times every channel, each time with `inner`
// neighbours.
struct Slices {
  Slices(const ir::Value& constant, int axis) : channels(constant.shape[static_cast<size_t>(axis)]) {
    for (int i = axis + 1; i < constant.rank(); ++i) inner *= constant.shape[static_cast<size_t>(i)];
    const int64_t n = constant.elements();
    outer = n == 0 ? 0 : n / (channels * inner);
  }
  int64_t per_channel() const { return outer * inner; }

  int64_t channels, outer = 0, inner = 1;
};

// Calls f(element, channel) for every element of the constant, as they lie.
template <typename F>
void ForEachElement(const Slices& slices, F f) {
  int64_t i = 0;
  for (int64_t o = 0; o < slices.outer; ++o) {
    for (int64_t c = 0; c < slices.channels; ++c) {
      for (int64_t k = 0; k < slices.inner; ++k) f(i++, static_cast<size_t>(c));
    }
  }
}

// Calls f(element) for one channel's.
template <typename F>
void ForEachOf(const Slices& slices, size_t channel, F f) {
  for (int64_t o = 0; o < slices.outer; ++o) {
    const int64_t first = (o * slices.channels + static_cast<int64_t>(channel)) * slices.inner;
    for (int64_t k = 0; k < slices.inner; ++k) f(first + k);
  }
}

// The squared errors that scales from the widest down to half of it make of a channel's weights.
class TriedScales {
 public:
  explicit TriedScales(float widest) {
    for (int step = 0; step < kSteps; ++step) {
      const float share = 1.0f - static_cast<float>(step) / (2 * kSteps);
      scales_[step] = std::max(widest * share, kMinScale);
      wide_scales_[step] = static_cast<double>(scales_[step]);
    }
  }

  void Add(float w) {
    using simd::Floats;
    const Floats weight = simd::Broadcast(w), low = simd::Broadcast(-127.0f), high = simd::Broadcast(127.0f);
    float q[kSteps];
    for (int step = 0; step < kSteps; step += int{simd::kFloats}) {
      const Floats places = simd::Min(simd::Max(weight / simd::Load(&scales_[step]), low), high);
      simd::Store(simd::Round(places), &q[step]);
    }
    for (int step = 0; step < kSteps; ++step) {
      const double error = static_cast<double>(w) - static_cast<double>(q[step]) * wide_scales_[step];
      errors_[step] += error * error;
    }
  }

  // Among equal ones, the widest.
  float Best() const {
    int best = 0;
    for (int step = 1; step < kSteps; ++step) {
      if (errors_[step] < errors_[best]) best = step;
    }
    return scales_[best];
  }

 private:
  static constexpr int kSteps = 16;
  float scales_[kSteps];
  double wide_scales_[kSteps];
  double errors_[kSteps] = {};
};

template <typename T>
std::shared_ptr<const ir::Bytes> MakeBytes(const std::vector<T>& elements) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(elements.data());
  return std::make_shared<const ir::Bytes>(bytes, bytes + elements.size() * sizeof(T));
}

}  // namespace

float LargestOf(const float* x, size_t n, float largest) {
  simd::Floats lanes = {};
  size_t i = 0;
  for (; i + simd::kFloats <= n; i += simd::kFloats) lanes = simd::Max(lanes, simd::Abs(simd::Load(x + i)));
  for (; i < n; ++i) largest = std::max(largest, std::fabs(x[i]));
  for (i = 0; i < simd::kFloats; ++i) largest = std::max(largest, lanes[i]);
  return largest;
}

std::vector<float> LargestPerChannel(const ir::Value& constant, int axis) {
  const Slices slices(constant, axis);
  std::vector<float> largest(static_cast<size_t>(slices.channels), 0.0f);
  const float* w = constant.as<float>();
  for (int64_t o = 0; o < slices.outer; ++o) {
    if (slices.inner == 1) {
      for (size_t c = 0; c < largest.size(); ++c) largest[c] = std::max(largest[c], std::fabs(w[c]));
      w += slices.channels;
      continue;
    }
    for (float& of_channel : largest) {
      of_channel = LargestOf(w, static_cast<size_t>(slices.inner), of_channel);
      w += slices.inner;
    }
  }
  return largest;
}

// A maximum tells no NaN.
std::string WhyNoScales(const ir::Value& weights) {
  constexpr uint32_t kExponent = 0x7f800000;
  const auto n = static_cast<size_t>(weights.elements());
  const auto* bits = weights.as<uint32_t>();
  uint32_t infinite = 0;
  for (size_t i = 0; i < n; ++i) infinite |= (bits[i] & kExponent) == kExponent ? 1 : 0;
  if (infinite != 0) return "weights are not finite";
  const float largest = LargestOf(weights.as<float>(), n, 0.0f);
  return largest > 0.0f && largest < 127.0f * kMinScale ? "weights are too small for a scale of int8" : "";
}

std::vector<float> SymmetricScales(const std::vector<float>& largest) {
  std::vector<float> scales(largest.size());
  for (size_t c = 0; c < scales.size(); ++c) scales[c] = std::max(largest[c] / 127.0f, kMinScale);
  return scales;
}

std::vector<float> LeastSquaresScales(const ir::Value& constant, int axis) {
  std::vector<float> scales = SymmetricScales(LargestPerChannel(constant, axis));
  const Slices slices(constant, axis);
  const float* w = constant.as<float>();
  threads::ForEachRange(scales.size(), slices.per_channel(), [&](size_t first, size_t last) {
    for (size_t c = first; c < last; ++c) {
      TriedScales tried(scales[c]);
      ForEachOf(slices, c, [&](int64_t i) { tried.Add(w[i]); });
      scales[c] = tried.Best();
    }
  });
  return scales;
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
  ForEachElement(Slices(constant, axis), [&](int64_t i, size_t c) {
    const double q = RoundEven(std::clamp(static_cast<double>(w[i]) / scales[c], -127.0, 127.0));
    quantized[static_cast<size_t>(i)] = static_cast<int8_t>(q);
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
  const Slices slices(constant, axis);
  const auto per_channel = static_cast<size_t>(slices.per_channel());
  std::vector<float> weights;
  std::vector<int8_t> quantized;
  weights.reserve(static_cast<size_t>(constant.elements()));
  quantized.reserve(static_cast<size_t>(constant.elements()));
  for (size_t c = 0; c < scales.size(); ++c) {
    ForEachOf(slices, c, [&](int64_t i) {
      weights.push_back(constant.as<float>()[i]);
      quantized.push_back(out.as<int8_t>()[i]);
    });
  }
  adjust(
      {weights.data(), scales.size(), per_channel, scales.data(), per_channel, -127, 127, quantized.data()});
  std::vector<int8_t> ordered(quantized.size());
  const int8_t* next = quantized.data();
  for (size_t c = 0; c < scales.size(); ++c)
    ForEachOf(slices, c, [&](int64_t i) { ordered[static_cast<size_t>(i)] = *next++; });
  out.data = MakeBytes(ordered);
  return out;
}

double Int8WeightSnr(const ir::Value& constant, int axis, const std::vector<float>& scales) {
  const ir::Value quantized = QuantizePerChannel(constant, axis, scales);
  const float* w = constant.as<float>();
  const int8_t* q = quantized.as<int8_t>();
  double signal = 0.0, noise = 0.0;
  ForEachElement(Slices(constant, axis), [&](int64_t i, size_t c) {
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
