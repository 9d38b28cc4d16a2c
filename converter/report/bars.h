#pragma once
// A histogram coarse enough to be looked at.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "converter/observe/histogram.h"

namespace micrort::report {

struct Bars {
  static constexpr size_t kCount = 48;

  double low = 0.0, high = 0.0;  // what all bars together cover
  std::vector<uint64_t> counts;  // kCount of them; none if there is nothing to show

  bool empty() const { return counts.empty(); }
};

// Zeros are left out, as in the histogram.
Bars BarsOf(const observe::Histogram& histogram);
Bars BarsOf(const float* x, size_t n);

}  // namespace micrort::report
