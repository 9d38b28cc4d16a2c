#include "bench/kernel_bench/variant.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>

#include "bench/machine/fma_peak.h"
#include "kernels/base/checked_math.h"
#include "kernels/base/part.h"
#include "micrort/op_resolver.h"

namespace micrort::bench {

namespace {

MICRORT_LINK(AllOps);

// Time that this program had the processor, so that others on the machine count as little as can be.
double CpuSeconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// Float operations a second, the best of a few turns; 0 where these features have none of the instructions.
double MeasurePeak(CpuFeatures features) {
  double best = 0;
  for (int turn = 0; turn < 20; ++turn) {
    const double start = CpuSeconds();
    const auto done = static_cast<double>(2 * RunFma(features, 100000));
    best = std::max(best, done / (CpuSeconds() - start));
  }
  return best;
}

double Peak(CpuFeatures features) {
  static std::map<CpuFeatures, double> peaks;
  const auto [at, is_new] = peaks.try_emplace(features, 0.0);
  if (is_new) at->second = MeasurePeak(features);
  return at->second;
}

void Report(CpuFeatures features, Work work, double seconds_per_run, benchmark::State& state) {
  if (work.operations > 0) {
    const double rate = work.operations / seconds_per_run;
    state.counters["GFLOP/s"] = rate * 1e-9;
    const double peak = Peak(features);
    if (peak > 0) state.counters["of_peak"] = rate / peak;
  }
  if (work.bytes > 0) state.counters["GB/s"] = work.bytes / seconds_per_run * 1e-9;
}

}  // namespace

void AddVariant(const std::string& name, CpuFeatures needs, Work work, std::function<void()> run) {
  if ((needs & ~ArchitectureFeatures()) != 0) return;  // described for the converter only
  benchmark::RegisterBenchmark(name.c_str(), [needs, work, run = std::move(run)](benchmark::State& state) {
    if ((needs & DetectCpuFeatures()) != needs) return state.SkipWithError("not for this CPU");
    const double start = CpuSeconds();
    for (auto _ : state) {
      run();
      benchmark::ClobberMemory();
    }
    Report(needs, work, (CpuSeconds() - start) / static_cast<double>(state.iterations()), state);
  });
}

Buffer::Buffer(size_t bytes) {
  const size_t size = AlignUp(bytes + 1, kAlignment);
  memory_ = std::shared_ptr<void>(std::aligned_alloc(kAlignment, size), std::free);
  data_ = memory_.get();
  std::memset(data_, 0, size);
}

}  // namespace micrort::bench
