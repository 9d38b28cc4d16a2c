#pragma once
// Numbers of algorithms with their micro-kernels, which tell apart what weights are packed into: what decides
// where names ("winograd_4x4_f32/avx2_6x16") are for people and for files.

#include "kernels/base/kernel_ids.h"
#include "kernels/conv2d/algorithm_ids.h"

namespace micrort {

// Not a convolution's, but packs weights as these do. Never renumbered, as Conv2DAlgorithmId.
constexpr uint8_t kRecurrentAlgorithmId = 128;

constexpr AlgorithmVariant VariantOf(uint8_t algorithm, KernelId kernel) {
  return static_cast<AlgorithmVariant>(algorithm << 8 | static_cast<int>(kernel));
}
inline AlgorithmVariant VariantOf(const Conv2DAlgorithm& algorithm, KernelId kernel) {
  return VariantOf(static_cast<uint8_t>(IdOf(algorithm)), kernel);
}

// The number of a name; 0 for names that nothing has.
AlgorithmVariant FindVariant(const char* name);

}  // namespace micrort
