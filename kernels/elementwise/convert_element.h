#pragma once
// Conversion of one element, as ONNX Cast defines it where C++ does; where C++ leaves it open, numbers
// saturate and NaN becomes 0.

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/base/half.h"

namespace micrort {

// binary16 and bfloat16 as element types.
struct Half {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};
// A bool that comes from outside: any byte, true unless 0.
struct Bool {
  uint8_t byte;
};

// Truncates toward zero.
template <typename Int, typename Float>
inline Int FloatToInteger(Float x) {
  // Both bounds are powers of two or zero, hence exact; the upper one is outside the type.
  constexpr Float kLowest = static_cast<Float>(std::numeric_limits<Int>::min());
  const Float beyond = std::ldexp(static_cast<Float>(1), std::numeric_limits<Int>::digits);
  if (x >= beyond) return std::numeric_limits<Int>::max();
  if (x <= kLowest) return std::numeric_limits<Int>::min();
  return std::isnan(x) ? Int{0} : static_cast<Int>(x);
}

template <typename To, typename From>
inline To ConvertElement(From x) {
  if constexpr (std::is_same_v<From, Half>) {
    return ConvertElement<To>(HalfToFloat(x.bits));
  } else if constexpr (std::is_same_v<From, BFloat16>) {
    return ConvertElement<To>(BFloat16ToFloat(x.bits));
  } else if constexpr (std::is_same_v<From, Bool>) {
    return static_cast<To>(x.byte != 0);
  } else if constexpr (std::is_same_v<To, Half>) {
    return Half{FloatToHalf(static_cast<float>(x))};
  } else if constexpr (std::is_same_v<To, BFloat16>) {
    return BFloat16{FloatToBFloat16(static_cast<float>(x))};
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From{};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return FloatToInteger<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace micrort
