#pragma once
// Counts of durations by their size, as Prometheus has them.

#include <array>
#include <cstdint>

namespace micrort::serve {

class Histogram {
 public:
  // Upper bounds in microseconds; what is over the last one counts in the total only.
  static constexpr std::array<uint64_t, 14> kBounds = {
      50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 1000000, 10000000};

  void Add(uint64_t ns) {
    ++count_;
    sum_ns_ += ns;
    for (size_t i = 0; i < kBounds.size(); ++i) {
      if (ns > kBounds[i] * 1000) continue;
      ++counts_[i];
      break;
    }
  }

  uint64_t count() const { return count_; }
  uint64_t sum_ns() const { return sum_ns_; }
  // Those of bound i and above the bound before it.
  uint64_t in_bucket(size_t i) const { return counts_[i]; }

 private:
  std::array<uint64_t, kBounds.size()> counts_{};
  uint64_t count_ = 0, sum_ns_ = 0;
};

}  // namespace micrort::serve
