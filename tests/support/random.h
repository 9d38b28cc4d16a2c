#pragma once
// Seeded random numbers for tests. Failures print the seed through SCOPED_TRACE of the caller.

#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>

namespace micrort::testing {

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}

  // In [low, high].
  int64_t Integer(int64_t low, int64_t high);
  // In [low, high), a multiple of (high - low) / 2^24.
  float Float(float low, float high);
  // Fills a range of integers or floats.
  template <typename Range>
  void Fill(Range& range, double low, double high) {
    using T = std::remove_reference_t<decltype(*range.begin())>;
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, int8_t>) {
      Fill(range.size() == 0 ? nullptr : &*range.begin(), range.size(), low, high);
    } else {
      for (T& x : range) {
        if constexpr (std::is_floating_point_v<T>) {
          x = static_cast<T>(Float(static_cast<float>(low), static_cast<float>(high)));
        } else {
          x = static_cast<T>(Integer(static_cast<int64_t>(low), static_cast<int64_t>(high)));
        }
      }
    }
  }

 private:
  void Fill(float* values, size_t count, double low, double high);
  void Fill(int8_t* values, size_t count, double low, double high);

  std::mt19937 engine_;  // the same sequence on every platform, unlike the distributions of <random>
};

}  // namespace micrort::testing
