// Products of int16 activations and int8 weights, operands in the first-level cache.

#include <string>

#include "bench/kernel_bench/variant.h"
#include "kernels/gemm/gemm_s16.h"
#include "kernels/layer_s16/dot_s16.h"
#include "kernels/layer_s16/finish_s16.h"

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

void AddPair(const DotS16Kernel& kernel) {
  const Buffer x(2 * kDepth * sizeof(int16_t)), weights(kDepth * kColumns),
      sums(2 * kColumns * sizeof(int64_t));
  AddVariant(std::string("dot_s16/") + kernel.name + "/pair_64x64", kernel.features,
             {4.0 * static_cast<double>(kDepth * kColumns), 0}, [&kernel, x, weights, sums] {
               const auto* row = x.as<const int16_t>();
               auto* const acc = sums.as<int64_t>();
               kernel.dot_pair({{row, row + kDepth},
                                weights.as<const int8_t>(),
                                kDepth,
                                kDepth,
                                kColumns,
                                {acc, acc + kColumns},
                                true});
             });
}

void AddTaps(const DotS16Kernel& kernel) {
  constexpr size_t kTaps = 9;
  const Buffer x(kTaps * kColumns * sizeof(int16_t)), weights(kTaps * kColumns),
      sums(kColumns * sizeof(int64_t));
  AddVariant(std::string("dot_s16/") + kernel.name + "/depthwise_3x3x64", kernel.features,
             {2.0 * static_cast<double>(kTaps * kColumns), 0}, [&kernel, x, weights, sums] {
               TapS16 taps[kTaps];
               for (size_t t = 0; t < kTaps; ++t)
                 taps[t] = {x.as<const int16_t>() + t * kColumns, weights.as<const int8_t>() + t * kColumns};
               kernel.taps(taps, kTaps, kColumns, sums.as<int64_t>());
             });
}

void AddTile(const GemmS16Kernel& kernel) {
  const Buffer rows(kernel.mr * kDepth * sizeof(int16_t)), weights(kernel.nr * kDepth),
      sums(kernel.mr * kernel.nr * sizeof(int32_t));
  AddVariant(std::string("gemm_s16/") + kernel.name, kernel.features,
             {2.0 * static_cast<double>(kernel.mr * kernel.nr * kDepth), 0}, [&kernel, rows, weights, sums] {
               kernel.run({kernel.mr, kernel.nr, kDepth, rows.as<int16_t>(), kDepth * sizeof(int16_t),
                           weights.as<int8_t>(), sums.as<int32_t>()});
             });
}

void AddFinish(const FinishS16Kernel& kernel) {
  constexpr size_t kRows = 8;
  const Buffer sums(kRows * kColumns * sizeof(int32_t)), bias(kColumns * sizeof(double)),
      scales(kColumns * sizeof(double)), y(kRows * kColumns * sizeof(int16_t));
  AddVariant(std::string("finish_s16/") + kernel.name, kernel.features, {0, 6.0 * kRows * kColumns},
             [&kernel, sums, bias, scales, y] {
               kernel.run({kRows, kColumns, sums.as<int32_t>(), kColumns, 1, 0, bias.as<double>(),
                           scales.as<double>(), INT16_MIN, INT16_MAX, y.as<int16_t>(), kColumns});
             });
}

}  // namespace

void AddInt16Layers() {
  for (const GemmS16Kernel& kernel : GemmS16Kernels()) AddTile(kernel);
  for (const FinishS16Kernel& kernel : FinishS16Kernels()) AddFinish(kernel);
  for (const DotS16Kernel& kernel : DotS16Kernels()) {
    AddDot(kernel);
    AddPair(kernel);
    AddTaps(kernel);
  }
}

}  // namespace micrort::bench
