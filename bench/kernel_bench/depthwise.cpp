// The depthwise micro-kernels: a few pixels of a 3x3, a 5x5 and a 7x7 filter, operands in the first-level
// cache.

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bench/kernel_bench/variant.h"
#include "kernels/dwconv/dwconv_f32.h"
#include "kernels/dwconv/dwconv_s16.h"
#include "kernels/dwconv/dwconv_s8.h"

namespace micrort::bench {

namespace {

constexpr size_t kChannels = 64;
constexpr size_t kFilters[] = {3, 5, 7};

// Columns of an image as wide as `pixels` reach, and for each tap where it begins.
template <typename T>
struct Windows {
  std::vector<const T*> columns;
  std::vector<const T* const*> taps;

  Windows(const T* image, size_t filter, size_t pixels) {
    const size_t width = filter + pixels - 1;
    for (size_t i = 0; i < filter * width; ++i) columns.push_back(image + i * kChannels);
    for (size_t t = 0; t < filter * filter; ++t)
      taps.push_back(columns.data() + t / filter * width + t % filter);
  }
};

std::string RowName(const char* family, const char* kernel, size_t filter) {
  return std::string(family) + "/" + kernel + "/" + std::to_string(filter) + "x" + std::to_string(filter);
}

Work WorkOf(size_t filter, size_t mr) {
  return {2.0 * static_cast<double>(filter * filter * mr * kChannels), 0};
}

void AddFloat(const DwConvF32Kernel& kernel, size_t filter) {
  const Buffer image(filter * (filter + kernel.mr) * kChannels * sizeof(float)),
      weights(filter * filter * kChannels * sizeof(float)), y(kernel.mr * kChannels * sizeof(float));
  const auto x = std::make_shared<Windows<float>>(image.as<const float>(), filter, kernel.mr);
  AddVariant(RowName("dwconv_f32", kernel.name, filter), kernel.features, WorkOf(filter, kernel.mr),
             [&kernel, filter, image, weights, y, x] {
               constexpr float kInfinity = std::numeric_limits<float>::infinity();
               kernel.run({kernel.mr, filter, filter, kChannels, x->taps.data(), 1, true, weights.as<float>(),
                           nullptr, nullptr, y.as<float>(), kChannels, -kInfinity, kInfinity});
             });
}

void AddInt8(const DwConvS8Kernel& kernel, size_t filter) {
  const Buffer image(filter * (filter + kernel.mr) * kChannels),
      weights(DwConvS8ChannelBytes(kernel.kr, filter, filter) * kChannels),
      sums(kernel.mr * kChannels * sizeof(int32_t));
  const auto x = std::make_shared<Windows<int8_t>>(image.as<const int8_t>(), filter, kernel.mr);
  AddVariant(RowName("dwconv_s8", kernel.name, filter), kernel.features, WorkOf(filter, kernel.mr),
             [&kernel, filter, image, weights, sums, x] {
               kernel.run({kernel.mr, filter, filter, kChannels, x->taps.data(), 1, true, true, 0,
                           weights.as<int8_t>(), sums.as<int32_t>(), kChannels});
             });
}

void AddInt16(const DwConvS16Kernel& kernel, size_t filter) {
  const Buffer image(filter * (filter + kernel.mr) * kChannels * sizeof(int16_t)),
      weights(DwConvS8ChannelBytes(kDwConvS16Kr, filter, filter) * kChannels),
      sums(kernel.mr * kChannels * sizeof(int32_t));
  const auto x = std::make_shared<Windows<int16_t>>(image.as<const int16_t>(), filter, kernel.mr);
  AddVariant(RowName("dwconv_s16", kernel.name, filter), kernel.features, WorkOf(filter, kernel.mr),
             [&kernel, filter, image, weights, sums, x] {
               kernel.run({kernel.mr, filter, filter, kChannels, x->taps.data(), 1, true, true, 0,
                           weights.as<int8_t>(), sums.as<int32_t>(), kChannels});
             });
}

}  // namespace

void AddDepthwise() {
  for (const size_t filter : kFilters) {
    for (const DwConvF32Kernel& kernel : DwConvF32Kernels()) AddFloat(kernel, filter);
    for (const DwConvS8Kernel& kernel : DwConvS8Kernels()) AddInt8(kernel, filter);
    for (const DwConvS16Kernel& kernel : DwConvS16Kernels()) AddInt16(kernel, filter);
  }
}

}  // namespace micrort::bench
