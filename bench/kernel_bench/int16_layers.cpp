// Products of int16 activations and int8 weights, operands in the first-level cache.

#include <string>

#include "bench/kernel_bench/variant.h"
#include "kernels/layer_s16/dot_s16.h"

namespace micrort::bench {

namespace {

constexpr size_t kDepth = 64, kColumns = 64;

void AddDot(const DotS16Kernel& kernel) {
  const Buffer x(kDepth * sizeof(int16_t)), weights(kDepth * kColumns), sums(kColumns * sizeof(int64_t));
  AddVariant(std::string("dot_s16/") + kernel.name + "/64x64", kernel.features,
             {2.0 * static_cast<double>(kDepth * kColumns), 0}, [&kernel, x, weights, sums] {
               kernel.dot(x.as<const int16_t>(), weights.as<const int8_t>(), kDepth, kDepth, kColumns,
                          sums.as<int64_t>());
             });
}

void AddScale(const DotS16Kernel& kernel) {
  const Buffer x(kColumns * sizeof(int16_t)), weights(kColumns), sums(kColumns * sizeof(int64_t));
  AddVariant(std::string("dot_s16/") + kernel.name + "/depthwise_64", kernel.features,
             {2.0 * static_cast<double>(kColumns), 0}, [&kernel, x, weights, sums] {
               kernel.scale(x.as<const int16_t>(), weights.as<const int8_t>(), kColumns, sums.as<int64_t>());
             });
}

}  // namespace

void AddInt16Layers() {
  for (const DotS16Kernel& kernel : DotS16Kernels()) {
    AddDot(kernel);
    AddScale(kernel);
  }
}

}  // namespace micrort::bench
