#pragma once
// Remainders whose sign is the divisor's.

#include <cmath>
#include <type_traits>

namespace micrort {

// Floats: NaN for b = 0. Integers: b must not be 0.
template <typename T>
inline T FlooredModulo(T a, T b) {
  T r;
  if constexpr (std::is_floating_point_v<T>) {
    r = std::fmod(a, b);
    if (r == 0) return std::copysign(r, b);
  } else if constexpr (std::is_signed_v<T>) {
    r = b == -1 ? T{0} : a % b;  // the quotient of the lowest value and -1 does not exist
  } else {
    return a % b;
  }
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

}  // namespace micrort
