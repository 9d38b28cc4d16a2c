#pragma once
// Seeded random numbers for tests. Failures print the seed through SCOPED_TRACE of the caller.

#include <cstdint>
#include <random>

namespace micrort::testing {

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}

  // In [low, high].
  int64_t Integer(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
  }
  // In [low, high), a multiple of (high - low) / 2^24.
  float Float(float low, float high) {
    return low + (high - low) * static_cast<float>(engine_() >> 8) * 0x1p-24f;
  }
  // Fills a range of integers or floats.
  template <typename Range>
  void Fill(Range& range, double low, double high) {
    using T = std::remove_reference_t<decltype(*range.begin())>;
    for (T& x : range) {
      if constexpr (std::is_floating_point_v<T>) {
        x = static_cast<T>(Float(static_cast<float>(low), static_cast<float>(high)));
      } else {
        x = static_cast<T>(Integer(static_cast<int64_t>(low), static_cast<int64_t>(high)));
      }
    }
  }

 private:
  std::mt19937 engine_;  // the same sequence on every platform, unlike the distributions of <random>
};

}  // namespace micrort::testing
