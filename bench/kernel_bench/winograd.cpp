// The transforms of Winograd convolution: one tile of 64 channels, operands in the first-level cache.

#include <limits>
#include <string>
#include <vector>

#include "bench/kernel_bench/row.h"
#include "kernels/winograd/winograd_f32.h"

namespace micrort::bench {

namespace {

constexpr size_t kChannels = 64;

void AddTransforms(const WinogradF32Kernel& kernel, size_t index) {
  const size_t m = 2 * (index + 1), points = (m + 2) * (m + 2);
  const Buffer planes(points * kChannels * sizeof(float)), pixels(points * kChannels * sizeof(float));
  std::vector<const float*> in;
  std::vector<float*> out;
  for (size_t i = 0; i < points; ++i) in.push_back(pixels.as<float>() + i * kChannels);
  for (size_t i = 0; i < m * m; ++i) out.push_back(pixels.as<float>() + i * kChannels);
  const std::string name = std::string("winograd_f32/") + kernel.name + "/F" + std::to_string(m) + "_";
  const double plane_bytes = static_cast<double>(points * kChannels * sizeof(float));
  AddRow(name + "input", kernel.features, {0, 2 * plane_bytes}, [&kernel, index, planes, pixels, in] {
    kernel.input[index]({in.data(), kChannels, planes.as<float>(), kChannels});
  });
  AddRow(name + "output", kernel.features,
         {0, plane_bytes + static_cast<double>(m * m * kChannels * sizeof(float))},
         [&kernel, index, planes, pixels, out] {
           constexpr float kInfinity = std::numeric_limits<float>::infinity();
           kernel.output[index]({planes.as<float>(), kChannels, kChannels, nullptr, nullptr, out.data(),
                                 -kInfinity, kInfinity});
         });
}

}  // namespace

void AddWinograd() {
  for (const WinogradF32Kernel& kernel : WinogradF32Kernels()) {
    for (size_t index = 0; index < std::size(kernel.input); ++index) AddTransforms(kernel, index);
  }
}

}  // namespace micrort::bench
