// data_movement: transposing, pooling and resizing beside memcpy, by every micro-kernel that this CPU runs,
// on one thread.
//
// All are measured in turns, so that changes of the clock hit all alike; figures are medians of 10^9 bytes
// read and written a second.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "kernels/copy/strided_copy.h"
#include "kernels/pool/pool2d.h"
#include "kernels/resize/resize.h"

namespace micrort::bench {
namespace {

constexpr int kRounds = 11;
constexpr double kSecondsPerTurn = 0.01;

struct Candidate {
  std::string name;
  size_t bytes;  // read and written by one run
  std::function<void()> run;
  std::vector<double> rates;

  void Measure() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    double seconds = 0;
    size_t runs = 0;
    do {
      run();
      ++runs;
      seconds = std::chrono::duration<double>(Clock::now() - start).count();
    } while (seconds < kSecondsPerTurn);
    rates.push_back(static_cast<double>(bytes * runs) / seconds * 1e-9);
  }
  double Median() {
    std::sort(rates.begin(), rates.end());
    return rates[rates.size() / 2];
  }
};

// Memory of one candidate, aligned as the arena is.
class Buffer {
 public:
  explicit Buffer(size_t bytes) : lines_(bytes / sizeof(Line) + 1) {}
  void* data() { return lines_.data(); }

 private:
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  std::vector<Line> lines_;
};

bool Runs(CpuFeatures features) { return (features & DetectCpuFeatures()) == features; }

Candidate Memcpy(size_t bytes) {
  return {"memcpy of " + std::to_string(bytes) + " bytes",
          2 * bytes,
          [bytes, in = Buffer(bytes), out = Buffer(bytes)]() mutable {
            std::memcpy(out.data(), in.data(), bytes);
          },
          {}};
}

// An NCHW image to NHWC: `channels` planes of `pixels` elements.
Candidate Transpose(const TransposeTileKernel& kernel, int64_t channels, int64_t pixels) {
  const int64_t element = static_cast<int64_t>(kernel.element_bytes);
  const CopyDim dims[] = {{pixels, element, channels * element}, {channels, pixels * element, element}};
  const size_t bytes = static_cast<size_t>(channels * pixels * element);
  return {"transpose " + std::to_string(channels) + "x" + std::to_string(pixels) + " " + kernel.name,
          2 * bytes,
          [copy = PlanCopy(kernel.element_bytes, dims, kernel.features), in = Buffer(bytes),
           out = Buffer(bytes)]() mutable { RunCopy(copy, in.data(), out.data(), Sequential()); },
          {}};
}

size_t ElementBytes(PoolFunction function) {
  return function == PoolFunction::kMaxF32 || function == PoolFunction::kAverageF32 ? sizeof(float) : 1;
}

// ResNet's first pooling.
Candidate Pool3x3(const PoolKernel& kernel) {
  const Pool2DParams p = {1, 112, 112, 64, 56, 56, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, false};
  const size_t in_bytes = static_cast<size_t>(p.in_h * p.in_w * p.channels) * ElementBytes(kernel.function);
  return {"pool 3x3 stride 2 of 112x112x64 " + std::string(kernel.name),
          in_bytes + in_bytes / 4,
          [p, &kernel, in = Buffer(in_bytes), out = Buffer(in_bytes / 4)]() mutable {
            RunPool2D(p, kernel, {0, 0, 1.0}, in.data(), out.data(), Sequential());
          },
          {}};
}

Candidate ResizeTwice(const BlendF32Kernel& kernel, ResizeMode mode, int64_t size, int64_t channels) {
  const ResizeMethod method = {mode, ResizeCoordinates::kHalfPixel, ResizeRounding::kFloor, -0.75f, false};
  const ResizeAxis axes[] = {{size, 2 * size, 2.0f}, {size, 2 * size, 2.0f}, {channels, channels, 1.0f}};
  const ResizePlan plan = PlanResize(method, Shape::Of(size, size, channels), axes, sizeof(float));
  size_t scratch_bytes = 0;
  if (!ResizeScratchBytes(plan, 1, &scratch_bytes)) return {};
  const size_t bytes = static_cast<size_t>(size * size * channels) * sizeof(float);
  return {std::string(mode == ResizeMode::kLinear ? "linear" : "cubic") + " resize of " +
              std::to_string(size) + "x" + std::to_string(size) + "x" + std::to_string(channels) + " " +
              kernel.name,
          5 * bytes,
          [plan, &kernel, in = Buffer(bytes), out = Buffer(4 * bytes),
           scratch = Buffer(scratch_bytes)]() mutable {
            RunResize(plan, kernel, in.data(), out.data(), scratch.data(), Sequential());
          },
          {}};
}

std::vector<Candidate> Candidates() {
  std::vector<Candidate> all;
  all.push_back(Memcpy(size_t{1} << 20));
  for (const TransposeTileKernel& kernel : TransposeTileKernels()) {
    if (!Runs(kernel.features)) continue;
    all.push_back(Transpose(kernel, 64, 56 * 56));
    all.push_back(Transpose(kernel, 3, 224 * 224));
  }
  for (const PoolKernel& kernel : PoolKernels()) {
    if (Runs(kernel.features)) all.push_back(Pool3x3(kernel));
  }
  for (const BlendF32Kernel& kernel : BlendF32Kernels()) {
    if (!Runs(kernel.features)) continue;
    all.push_back(ResizeTwice(kernel, ResizeMode::kLinear, 64, 64));
    all.push_back(ResizeTwice(kernel, ResizeMode::kLinear, 224, 3));
    all.push_back(ResizeTwice(kernel, ResizeMode::kCubic, 64, 64));
  }
  return all;
}

int Main() {
  std::vector<Candidate> all = Candidates();
  for (int round = 0; round < kRounds; ++round) {
    for (Candidate& candidate : all) candidate.Measure();
  }
  for (Candidate& candidate : all)
    std::printf("%-52s %8.2f GB/s\n", candidate.name.c_str(), candidate.Median());
  return 0;
}

}  // namespace
}  // namespace micrort::bench

int main() { return micrort::bench::Main(); }
