// The transforms of Winograd convolution: one tile of 64 channels, operands in the first-level cache.

#include <limits>
#include <string>
#include <vector>

#include "bench/kernel_bench/variant.h"
#include "kernels/winograd/winograd_f32.h"
#include "kernels/winograd/winograd_s8.h"

namespace micrort::bench {

namespace {

constexpr size_t kChannels = 64;

void AddTransforms(const WinogradF32Kernel& kernel, int outputs) {
  const auto m = static_cast<size_t>(outputs), points = (m + 2) * (m + 2);
  const Buffer planes(points * kChannels * sizeof(float)), pixels(points * kChannels * sizeof(float));
  std::vector<const float*> in;
  std::vector<float*> out;
  for (size_t i = 0; i < points; ++i) in.push_back(pixels.as<float>() + i * kChannels);
  for (size_t i = 0; i < m * m; ++i) out.push_back(pixels.as<float>() + i * kChannels);
  const std::string name = std::string("winograd_f32/") + kernel.name + "/F" + std::to_string(m) + "_";
  const double plane_bytes = static_cast<double>(points * kChannels * sizeof(float));
  AddVariant(name + "input", kernel.features, {0, 2 * plane_bytes}, [&kernel, outputs, planes, pixels, in] {
    kernel.input({outputs, in.data(), kChannels, planes.as<float>(), kChannels});
  });
  AddVariant(name + "output", kernel.features,
             {0, plane_bytes + static_cast<double>(m * m * kChannels * sizeof(float))},
             [&kernel, outputs, planes, pixels, out] {
               constexpr float kInfinity = std::numeric_limits<float>::infinity();
               kernel.output({outputs, planes.as<float>(), kChannels, kChannels, nullptr, nullptr, out.data(),
                              -kInfinity, kInfinity});
             });
}

// One tile of mr rows by nr columns; 64 channels.
void AddInteger(const WinogradS8Kernel& kernel) {
  constexpr size_t kPoints = kWinogradS8Points;
  const size_t products = kPoints * kernel.mr * kernel.nr;
  const Buffer pixels(kPoints * kChannels), planes(kPoints * kernel.mr * kChannels * sizeof(int16_t)),
      weights(kChannels * kernel.nr * sizeof(int16_t)), sums(products * sizeof(int32_t)),
      outputs(4 * kernel.mr * kernel.nr * sizeof(int32_t));
  std::vector<const int8_t*> in;
  for (size_t i = 0; i < kPoints; ++i) in.push_back(pixels.as<int8_t>() + i * kChannels);
  const std::string name = std::string("winograd_s8/") + kernel.name + "/F2_";
  AddVariant(name + "input", kernel.features, {0, kPoints * kChannels * (1.0 + sizeof(int16_t))},
             [&kernel, pixels, planes, in] {
               kernel.input({in.data(), kChannels, planes.as<int16_t>(), kChannels});
             });
  AddVariant(name + "product", kernel.features,
             {2.0 * static_cast<double>(kernel.mr * kernel.nr * kChannels), 0},
             [&kernel, planes, weights, sums] {
               kernel.multiply({kernel.mr, kernel.nr, kChannels, planes.as<int16_t>(), weights.as<int16_t>(),
                                sums.as<int32_t>()});
             });
  AddVariant(name + "output", kernel.features, {0, static_cast<double>(products) * 1.25 * sizeof(int32_t)},
             [&kernel, sums, outputs] {
               int32_t* top = outputs.as<int32_t>();
               kernel.output({sums.as<int32_t>(), kernel.mr * kernel.nr, kernel.mr, top,
                              top + 2 * kernel.mr * kernel.nr});
             });
}

}  // namespace

void AddWinograd() {
  for (const WinogradF32Kernel& kernel : WinogradF32Kernels()) {
    for (const int outputs : {2, 4, 6}) AddTransforms(kernel, outputs);
  }
  for (const WinogradS8Kernel& kernel : WinogradS8Kernels()) AddInteger(kernel);
}

}  // namespace micrort::bench
