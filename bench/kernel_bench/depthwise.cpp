// The depthwise micro-kernels: a few pixels of a 3x3 and a 5x5 filter, operands in the first-level cache.

#include <limits>
#include <string>
#include <vector>

#include "bench/kernel_bench/row.h"
#include "kernels/dwconv/dwconv_f32.h"
#include "kernels/dwconv/dwconv_s8.h"

namespace micrort::bench {

namespace {

constexpr size_t kChannels = 64;
constexpr size_t kFilters[] = {3, 5}, kMaxFilter = 5;

// Pixels side by side: pointers [taps][mr] into rows of an image, as a filter of stride 1 has them.
template <typename T>
std::vector<const T*> Windows(const T* image, size_t filter, size_t mr) {
  const size_t width = filter + mr - 1;
  std::vector<const T*> pointers;
  for (size_t tap = 0; tap < filter * filter; ++tap) {
    for (size_t i = 0; i < mr; ++i) {
      pointers.push_back(image + (tap / filter * width + tap % filter + i) * kChannels);
    }
  }
  return pointers;
}

std::string RowName(const char* family, const char* kernel, size_t filter) {
  return std::string(family) + "/" + kernel + "/" + std::to_string(filter) + "x" + std::to_string(filter);
}

Work WorkOf(size_t filter, size_t mr) {
  return {2.0 * static_cast<double>(filter * filter * mr * kChannels), 0};
}

void AddFloat(const DwConvF32Kernel& kernel, size_t filter) {
  const size_t width = filter + kernel.mr - 1;
  const Buffer image(filter * width * kChannels * sizeof(float)),
      weights(filter * filter * kChannels * sizeof(float)), y(kernel.mr * kChannels * sizeof(float));
  std::vector<const float*> columns;
  for (size_t i = 0; i < filter * width; ++i) columns.push_back(image.as<const float>() + i * kChannels);
  AddRow(RowName("dwconv_f32", kernel.name, filter), kernel.features, WorkOf(filter, kernel.mr),
         [&kernel, filter, width, image, weights, y, columns] {
           constexpr float kInfinity = std::numeric_limits<float>::infinity();
           const float* const* rows[kMaxFilter];
           for (size_t ky = 0; ky < filter; ++ky) rows[ky] = columns.data() + ky * width;
           DwConvF32Tile tile = {};
           tile.m = kernel.mr, tile.channels = tile.y_stride = kChannels;
           tile.kernel_h = tile.kernel_w = filter;
           tile.rows = rows, tile.pixel_step = tile.tap_step = 1;
           tile.w = weights.as<float>(), tile.y = y.as<float>();
           tile.lo = -kInfinity, tile.hi = kInfinity;
           kernel.run(tile);
         });
}

void AddInt8(const DwConvS8Kernel& kernel, size_t filter) {
  const Buffer image(filter * (filter + kernel.mr) * kChannels), weights(filter * filter * kChannels),
      sums(kernel.mr * kChannels * sizeof(int32_t));
  const auto x = Windows(image.as<const int8_t>(), filter, kernel.mr);
  AddRow(RowName("dwconv_s8", kernel.name, filter), kernel.features, WorkOf(filter, kernel.mr),
         [&kernel, filter, image, weights, sums, x] {
           kernel.run({kernel.mr, filter * filter, kChannels, x.data(), 0, weights.as<int8_t>(),
                       sums.as<int32_t>(), kChannels});
         });
}

}  // namespace

void AddDepthwise() {
  for (const size_t filter : kFilters) {
    for (const DwConvF32Kernel& kernel : DwConvF32Kernels()) AddFloat(kernel, filter);
    for (const DwConvS8Kernel& kernel : DwConvS8Kernels()) AddInt8(kernel, filter);
  }
}

}  // namespace micrort::bench
