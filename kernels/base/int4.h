#pragma once
// Two 4-bit integers a byte, the first in the lower half.

#include <cstdint>

namespace micrort {

inline int ReadInt4(const uint8_t* data, int64_t i) {
  const int half = i % 2 == 0 ? data[i / 2] & 15 : data[i / 2] >> 4;
  return (half ^ 8) - 8;
}

}  // namespace micrort
