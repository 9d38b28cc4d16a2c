#pragma once
// Rounding of what is going to be an integer of few bits.

#include <cstdint>

namespace micrort::quantize {

// Half to even, as nearbyint, but without a call: where numbers are as large as what is added they are
// integers.
inline double RoundEven(double x) {
  constexpr double kIntegers = static_cast<double>(int64_t{3} << 51);
  return (x + kIntegers) - kIntegers;
}

}  // namespace micrort::quantize
