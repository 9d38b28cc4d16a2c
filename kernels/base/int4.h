#pragma once
// Two 4-bit integers a byte, the first in the lower half.

#include <cstdint>

namespace micrort {

constexpr int kMaxInt4 = 7;
// A zero point of weights that needs no place: they are those with a zero point of 0 and the negative scale
// whose bits are all turned, -1 less what they were.
constexpr int kTurnedInt4 = -1;

inline int ReadInt4(const uint8_t* data, int64_t i) {
  const int half = i % 2 == 0 ? data[i / 2] & 15 : data[i / 2] >> 4;
  return (half ^ 8) - 8;
}

}  // namespace micrort
