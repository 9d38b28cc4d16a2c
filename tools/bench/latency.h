#pragma once
// Times of many runs.

#include <vector>

namespace micrort {

struct Latency {  // milliseconds
  double min = 0, median = 0, mean = 0, p90 = 0, p99 = 0, max = 0, stddev = 0;
};
// Needs at least one time.
Latency Summarize(std::vector<double> milliseconds);

}  // namespace micrort
