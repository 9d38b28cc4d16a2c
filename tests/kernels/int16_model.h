#pragma once
// TensorFlow Lite's int16 arithmetic by its definition: what kernels and imported models have to give, bit
// for bit.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace micrort::testing::int16_model {

// scale = multiplier * 2^(shift - 31)
struct Multiplier {
  int64_t multiplier;
  int shift;
};

inline Multiplier MultiplierOf(double scale) {
  if (scale == 0) return {0, 0};
  Multiplier by = {};
  by.multiplier = std::llround(std::frexp(scale, &by.shift) * 2147483648.0);
  if (by.multiplier == 2147483648) by = {1073741824, by.shift + 1};
  if (by.shift < -31) return {0, 0};
  return by;
}

// Rounded twice: x times the multiplier to 31 bits less, halves up; then the shift, halves away from zero. A
// shift to the left comes first, and wraps.
inline int64_t MultiplyNarrow(int64_t x, Multiplier by) {
  const auto shifted = static_cast<int32_t>(static_cast<uint64_t>(x) << std::max(by.shift, 0));
  const int64_t product = shifted * by.multiplier;
  const int64_t nudge = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  const int64_t high = (product + nudge) / 2147483648;
  if (by.shift >= 0) return high;
  const int64_t unit = int64_t{1} << -by.shift, magnitude = (std::abs(high) + unit / 2) / unit;
  return high < 0 ? -magnitude : magnitude;
}
inline int64_t MultiplyNarrow(int64_t x, double scale) { return MultiplyNarrow(x, MultiplierOf(scale)); }

// Rounded once, halves up, with a multiplier of 15 bits.
inline int64_t MultiplyWide(int64_t x, double scale) {
  const Multiplier by = MultiplierOf(scale);
  const int64_t reduced = by.multiplier < 0x7fff0000 ? (by.multiplier + (1 << 15)) >> 16 : 0x7fff;
  const int shift = 15 - by.shift;
  return (x * reduced + (int64_t{1} << (shift - 1))) >> shift;
}

struct Range {
  int64_t lo = std::numeric_limits<int16_t>::min(), hi = std::numeric_limits<int16_t>::max();

  int16_t Clamp(int64_t x) const { return static_cast<int16_t>(std::max(lo, std::min(hi, x))); }
};

// `sign`: 1 or -1.
inline int16_t Sum(int16_t a, int16_t b, int sign, double a_scale, double b_scale, double y_scale,
                   Range range = {}) {
  const double twice = 2 * std::max(a_scale, b_scale);
  const int64_t first = MultiplyNarrow(int64_t{a} * 32768, a_scale / twice),
                second = MultiplyNarrow(int64_t{b} * 32768, b_scale / twice);
  return range.Clamp(MultiplyNarrow(first + sign * second, twice / (32768 * y_scale)));
}

inline int16_t Product(int16_t a, int16_t b, double a_scale, double b_scale, double y_scale,
                       Range range = {}) {
  return range.Clamp(MultiplyNarrow(int64_t{a} * b, a_scale * b_scale / y_scale));
}

// A slope of int8.
inline int16_t PRelu(int16_t x, int8_t slope, int32_t slope_zero, double x_scale, double slope_scale,
                     double y_scale) {
  if (x >= 0) return Range().Clamp(MultiplyNarrow(x, x_scale / y_scale));
  return Range().Clamp(MultiplyNarrow(int64_t{x} * (slope - slope_zero), x_scale * slope_scale / y_scale));
}

// Of scales below 1: as numbers with 8 bits behind the point.
inline bool IsGreater(int16_t a, int16_t b, double a_scale, double b_scale) {
  return MultiplyNarrow(int64_t{a} * 256, a_scale) > MultiplyNarrow(int64_t{b} * 256, b_scale);
}

// A mean divides the multiplier, with as many bits more as the number of elements has.
inline int16_t SumOrMean(const std::vector<int16_t>& x, bool is_mean, double scale) {
  int64_t sum = 0;
  for (const int16_t v : x) sum += v;
  Multiplier by = MultiplierOf(scale);
  if (is_mean) {
    const int bits = std::min(static_cast<int>(std::floor(std::log2(x.size()))), 31 + by.shift);
    by.multiplier = by.multiplier * (int64_t{1} << bits) / static_cast<int64_t>(x.size());
    by.shift -= bits;
  }
  return Range().Clamp(MultiplyNarrow(sum, by));
}

// Of 256 numbers of 16 bits: 2^16 * sigmoid(i / 24), less half of the error of a line in its middle.
inline const std::array<int64_t, 256>& SigmoidTable() {
  static const auto table = [] {
    std::array<int64_t, 256> numbers = {};
    const auto value = [](double i) { return 65536 / (1 + std::exp(-i / 24)); };
    for (int i = 0; i < 256; ++i) {
      const double error = (value(i) + value(i + 1)) / 2 - value(i + 0.5);
      numbers[static_cast<size_t>(i)] = std::llround(value(i) - error / 2);
    }
    numbers[255] = 65535;
    return numbers;
  }();
  return table;
}

// The place in the table with 9 bits of fraction: x * scale * 3 * 2^12, by a multiplier of 15 bits.
inline int64_t TablePlace(int16_t x, double scale, double largest_exact) {
  const double log2 = std::log2(scale * 4096);
  if (std::fabs(log2 - std::round(log2)) < 1e-3 && log2 > -0.5 && log2 < largest_exact + 0.5)
    return int64_t{x} * (3 << std::lround(log2));
  double multiplier = scale * 4096 * 3;
  int shift = 0;
  for (; multiplier <= 32767.0 / 2 && shift <= 30; ++shift) multiplier *= 2;
  return (x * static_cast<int64_t>(multiplier) + (shift > 0 ? int64_t{1} << (shift - 1) : 0)) >> shift;
}

inline int16_t Sigmoid(int16_t x, double scale) {
  const int64_t place = TablePlace(x, scale, 0), magnitude = std::abs(place);
  const auto entry = static_cast<size_t>(magnitude >> 9);
  int64_t value = int64_t{0x7fff} << 10;
  if (entry < 255) {
    const int64_t low = SigmoidTable()[entry], high = SigmoidTable()[entry + 1];
    value = low * 512 + (magnitude & 511) * (high - low);
  }
  value = place >= 0 ? value + 512 : (int64_t{1} << 25) - value + 511;
  return static_cast<int16_t>(value >> 10);
}

inline int16_t Tanh(int16_t x, double scale) {
  const int64_t place = TablePlace(x, scale, 1), magnitude = std::abs(place);
  const auto entry = static_cast<size_t>(magnitude >> 8);
  int64_t value = int64_t{0xffff} << 8;
  if (entry < 255) {
    const int64_t low = SigmoidTable()[entry], high = SigmoidTable()[entry + 1];
    value = low * 256 + (magnitude & 255) * (high - low);
  }
  value = place >= 0 ? value - (1 << 23) + 128 : (1 << 23) - value + 127;
  return static_cast<int16_t>(value >> 8);
}

// 513 numbers of a function over [from, to] with 15 bits behind the point, in float.
template <typename Function>
std::vector<int64_t> LineTable(float from, float to, Function f) {
  const float unit = 65536.0f / (2.0f / 65535 * 32767 - 2.0f / 65535 * -32768);
  const float step = (to - from) / 512;
  std::vector<int64_t> numbers;
  for (int i = 0; i < 512; ++i) {
    const float x = from + static_cast<float>(i) * step, next = from + static_cast<float>(i + 1) * step;
    const float value = std::round(f(x) * unit), middle = std::round(f(x + step / 2) * unit);
    const float line = std::round((f(next) * unit + value) / 2);
    numbers.push_back(static_cast<int64_t>(std::min(value - std::round((line - middle) / 2), 32767.0f)));
  }
  numbers.push_back(static_cast<int64_t>(std::min(std::round(f(to) * unit), 32767.0f)));
  return numbers;
}

inline int64_t OnLine(const std::vector<int64_t>& table, int64_t x) {
  const int64_t from_zero = std::max<int64_t>(-32768, std::min<int64_t>(32767, x)) + 32768;
  const auto entry = static_cast<size_t>(from_zero / 128);
  return table[entry] + (((table[entry + 1] - table[entry]) * (from_zero % 128) + 64) >> 7);
}

inline const std::vector<int64_t>& ExpTable() {
  static const auto table = LineTable(10.0f / 65535 * -65535, 0, [](float x) { return std::exp(x); });
  return table;
}
inline const std::vector<int64_t>& ReciprocalTable() {
  static const auto table = LineTable(0, 1.0f / 65535 * 65535, [](float x) { return 1.0f / (1.0f + x); });
  return table;
}

// Of one row.
inline std::vector<int16_t> Softmax(const std::vector<int16_t>& x, double scale) {
  const int64_t max = *std::max_element(x.begin(), x.end());
  std::vector<int64_t> exps;
  int64_t sum = 0;
  for (const int16_t v : x) {
    exps.push_back(OnLine(ExpTable(), MultiplyNarrow(v - max, scale / (10.0 / 65535)) + 32767));
    sum += exps.back();
  }
  int bits = 0;
  while (sum >> bits != 0) ++bits;
  const int64_t normal = ((sum << (31 - bits)) + (1 << 13)) >> 14;
  const int64_t reciprocal = OnLine(ReciprocalTable(), normal - 65536 - 32768);
  std::vector<int16_t> y;
  for (const int64_t exp : exps) {
    const int64_t part = (exp * reciprocal + (int64_t{1} << (bits - 2))) >> (bits - 1);
    y.push_back(static_cast<int16_t>(std::max<int64_t>(0, std::min<int64_t>(32767, part))));
  }
  return y;
}

}  // namespace micrort::testing::int16_model
