// arm_int4_loops: runs the loops of int8 and of int4 by int8 once each, between two marks that the plugin
// counts at (count_int4.py). Prints a line a loop: micro-kernel, elements of a group, 0 for int8, rows, and
// weights times rows, separated by tabs.

#include <cstdio>
#include <string>
#include <vector>

#include "bench/arm/mark.h"
#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort::bench {
namespace {

constexpr size_t kDepth = 1536, kMaxRows = 24;

void Print(const char* kernel, size_t group, size_t rows, size_t columns) {
  std::printf("%s\t%zu\t%zu\t%zu\n", kernel, group, rows, rows * columns * kDepth);
}

void RunInt8(const GemmS8Kernel& kernel, size_t rows) {
  const std::vector<int8_t> a(2 * kMaxRows * kDepth), b(kernel.nr * kDepth);
  std::vector<int32_t> sums(2 * kMaxRows * kernel.nr);
  const size_t element = kernel.left == GemmS8Left::kInt16 ? sizeof(int16_t) : sizeof(int8_t);
  const GemmS8Block block = {rows, kernel.nr, kDepth, a.data(), kDepth * element, b.data(), sums.data()};
  Mark();
  kernel.run(block);
  Mark();
  Print(kernel.name, 0, rows, kernel.nr);
}

void RunInt4(const GemmS4Kernel& kernel, size_t group, size_t rows, bool zero_points) {
  const Int4Panel panel = {kernel.nr, group, kernel.halves, true, zero_points};
  const size_t groups = kDepth / group;
  // Twice, for blocks of rows.
  const std::vector<int8_t> a(2 * kMaxRows * kDepth);
  const std::vector<float> scales(4 * kMaxRows * groups);
  const std::vector<int32_t> sums(scales.size());
  const std::vector<uint8_t> b(groups * panel.group_bytes());
  std::vector<float> y(kMaxRows * kernel.nr);
  const GemmS4Block block = {panel, rows, groups, a.data(), scales.data(), sums.data(), b.data(), y.data()};
  Mark();
  kernel.run(block);
  Mark();
  Print((std::string(kernel.name) + (zero_points ? ", zero points" : "")).c_str(), group, rows, kernel.nr);
}

}  // namespace
}  // namespace micrort::bench

int main() {
  using namespace micrort;
  const CpuFeatures features = DetectCpuFeatures();
  for (const size_t rows : {1, 2, 3, 4, 8, 24}) {
    for (const GemmS8Kernel& kernel : GemmS8Kernels()) {
      if ((kernel.features & ~features) == 0) bench::RunInt8(kernel, rows);
    }
    for (const GemmS4Kernel& kernel : GemmS4Kernels()) {
      if ((kernel.features & ~features) != 0) continue;
      for (const size_t group : {32, 64, 128}) {
        for (const bool zero_points : {false, true}) bench::RunInt4(kernel, group, rows, zero_points);
      }
    }
  }
}
