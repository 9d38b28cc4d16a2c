#pragma once
// The functions of a softmax of int16 for lines between their numbers, as TensorFlow Lite's kernel for
// microcontrollers computes them, in float.

#include <cstddef>
#include <cstdint>

namespace micrort {

// Entry i: 2^15 of the function at the left end of the i-th of 512 parts of a range, less half of what the
// line over the part is above the function in the middle.
constexpr size_t kSoftmaxEntries = 513;
extern const int16_t kExpTable[kSoftmaxEntries];         // exp(x) from -10 to 0
extern const int16_t kReciprocalTable[kSoftmaxEntries];  // 1 / (1 + x) from 0 to 1

}  // namespace micrort
