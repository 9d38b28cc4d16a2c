#pragma once
// The sigmoid function for lines between its numbers, as TensorFlow Lite's int16 kernels have it.

#include <cstddef>
#include <cstdint>

namespace micrort {

// Entry i: 2^16 * sigmoid(i / 24), less half of what the line from there to i + 1 is above the function in
// the middle; the last one is 2^16 - 1.
constexpr size_t kSigmoidEntries = 256;
extern const uint16_t kSigmoidTable[kSigmoidEntries];

}  // namespace micrort
