#pragma once
// Memory and operands of a convolution whose algorithm a test calls by itself.

#include "kernels/base/checked_math.h"
#include "tests/kernels/conv2d_case.h"
#include "tests/kernels/guarded_buffer.h"

namespace micrort::testing {

// Blocks of 64 bytes, so that the guarded memory is as aligned as the interpreter's.
struct alignas(kAlignment) Block {
  uint8_t bytes[kAlignment];
};
inline GuardedBuffer<Block> Memory(uint64_t bytes) {
  return GuardedBuffer<Block>(CeilDiv<size_t>(bytes, kAlignment));
}

inline ConvWeights WeightsOf(const FloatConvCase& c) {
  return {c.weights.data(), c.p.depth(), 1, nullptr, {}, 0, nullptr, nullptr};
}
inline ConvWeights WeightsOf(const IntegerConvCase<int8_t>& c) {
  return {c.weights.data(), c.p.depth(), 1, c.scales.data(), {}, 1, c.bias.data(), nullptr};
}
inline const float* BiasOf(const FloatConvCase& c) { return c.bias.data(); }
inline const float* BiasOf(const IntegerConvCase<int8_t>&) { return nullptr; }

}  // namespace micrort::testing
