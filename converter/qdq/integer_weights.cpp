#include "converter/qdq/integer_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace micrort::qdq {
namespace {

constexpr int kLowest = std::numeric_limits<int8_t>::min();
constexpr int kHighest = std::numeric_limits<int8_t>::max();

// Channels of the elements: one for all, or the index along an axis.
class Channels {
 public:
  Channels(const ir::Value& constant, const ir::Quantization& source) : count_(source.scales.size()) {
    for (int i = source.axis + 1; i < constant.rank(); ++i) {
      inner_ *= static_cast<size_t>(constant.shape[static_cast<size_t>(i)]);
    }
  }
  size_t operator()(size_t i) const { return i / inner_ % count_; }

 private:
  size_t count_, inner_ = 1;
};

struct Range {
  int min = 0, max = 0;
};

// What is added to the integers of a channel so that they fit into int8; nothing if there is no such number.
std::optional<int32_t> Shift(const Range& range) {
  if (range.min >= kLowest && range.max <= kHighest) return 0;
  if (range.max - range.min > kHighest - kLowest) return std::nullopt;
  return range.min < kLowest ? kLowest - range.min : kHighest - range.max;
}

// Integers less their zero points.
std::optional<std::vector<int>> ReadIntegers(const ir::Value& constant, const Channels& channel) {
  const float* x = constant.as<float>();
  std::vector<int> integers(static_cast<size_t>(constant.elements()));
  for (size_t i = 0; i < integers.size(); ++i) {
    const float scale = constant.source_quantization.scales[channel(i)];
    const float q = std::nearbyint(x[i] / scale);
    constexpr float kLargest = 255;
    if (!(std::fabs(q) <= kLargest) || q * scale != x[i]) return std::nullopt;
    integers[i] = static_cast<int>(q);
  }
  return integers;
}

// The integer that element i was given as, unless it has become another number than `q`, which is that
// integer but for the rounding of floats.
std::optional<int32_t> GivenInteger(const ir::Value& bias, size_t i, double q) {
  constexpr double kRoundings = 1e-6;
  const auto& integers = bias.source_integers;
  if (integers == nullptr || integers->size() != static_cast<size_t>(bias.elements())) return std::nullopt;
  const int32_t given = (*integers)[i];
  return std::fabs(given - q) <= kRoundings * std::fabs(q) ? std::optional<int32_t>(given) : std::nullopt;
}

}  // namespace

std::optional<ir::Value> WeightsAsGiven(const ir::Value& constant, int channel_axis) {
  const ir::Quantization& source = constant.source_quantization;
  if (!constant.is_constant() || constant.dtype != DType::kFloat32 || source.empty() || source.group != 0)
    return std::nullopt;
  if (source.axis >= 0 &&
      (source.axis != channel_axis ||
       static_cast<int64_t>(source.scales.size()) != constant.shape[static_cast<size_t>(channel_axis)])) {
    return std::nullopt;
  }
  const Channels channel(constant, source);
  const auto integers = ReadIntegers(constant, channel);
  if (!integers) return std::nullopt;
  std::vector<Range> ranges(source.scales.size());
  for (size_t i = 0; i < integers->size(); ++i) {
    Range& range = ranges[channel(i)];
    range.min = std::min(range.min, (*integers)[i]);
    range.max = std::max(range.max, (*integers)[i]);
  }
  std::vector<int32_t> shifts;
  for (const Range& range : ranges) {
    const auto shift = Shift(range);
    if (!shift) return std::nullopt;
    shifts.push_back(*shift);
  }
  ir::Bytes bytes(integers->size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>((*integers)[i] + shifts[channel(i)]);
  }
  ir::Value out = constant;
  out.dtype = DType::kInt8;
  out.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  out.quantization = {source.scales, {}, source.axis};
  const bool symmetric = std::all_of(shifts.begin(), shifts.end(), [](int32_t s) { return s == 0; });
  if (!symmetric) out.quantization.zero_points = std::move(shifts);
  out.source_quantization = {};
  return out;
}

std::optional<std::vector<int32_t>> IntegerBias(const ir::Value& bias, float x_scale,
                                                const ir::Quantization& weights) {
  std::vector<int32_t> integers(static_cast<size_t>(bias.elements()));
  for (size_t i = 0; i < integers.size(); ++i) {
    const double w_scale = static_cast<double>(weights.scales[weights.scales.size() == 1 ? 0 : i]);
    const double q =
        std::nearbyint(static_cast<double>(bias.as<float>()[i]) / (static_cast<double>(x_scale) * w_scale));
    const std::optional<int32_t> given = GivenInteger(bias, i, q);
    if (!given && !(std::fabs(q) <= std::numeric_limits<int32_t>::max())) return std::nullopt;
    integers[i] = given ? *given : static_cast<int32_t>(q);
  }
  return integers;
}

}  // namespace micrort::qdq
