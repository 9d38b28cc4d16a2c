// machine_limits: prints as JSON what one core does at most. For a line of input it measures once more, so
// that a caller can take the figures in turns with what it compares with them.

#include <chrono>
#include <cstdint>
#include <cstdio>

#include "bench/machine/bandwidth.h"
#include "bench/machine/fma_peak.h"

namespace micrort::bench {
namespace {

constexpr double kSeconds = 0.02;

// 10^9 units a second; run() returns the units that it has done.
template <typename Run>
double Rate(Run run) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  double units = 0, seconds = 0;
  do {
    units += static_cast<double>(run());
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
  } while (seconds < kSeconds);
  return units / seconds * 1e-9;
}

}  // namespace
}  // namespace micrort::bench

int main() {
  using namespace micrort::bench;
  Bandwidth bandwidth;
  int c = '\n';
  do {
    if (c != '\n') continue;
    const double gflops = 2 * Rate([] { return RunFma(micrort::DetectCpuFeatures(), 100000); });
    const double gbytes = Rate([&] { return bandwidth.Read(); });
    std::printf("{\"fma_gflops\": %.2f, \"read_gb_per_s\": %.2f}\n", gflops, gbytes);
    std::fflush(stdout);
  } while ((c = std::getchar()) != EOF);
}
