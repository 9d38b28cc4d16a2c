#pragma once
// Elements as unsigned integers that have their order, so that sorting compares integers.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/elementwise/convert_element.h"

namespace micrort {

// 32 bits where they hold every value of T.
template <typename T>
using KeyOf = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

// a < b: OrderedKey(a) < OrderedKey(b). Both zeros have one key; NaNs have one, above all numbers.
template <typename T>
inline KeyOf<T> OrderedKey(T x) {
  using Key = KeyOf<T>;
  constexpr Key kTop = static_cast<Key>(Key{1} << (sizeof(Key) * 8 - 1));
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16> || std::is_same_v<T, Bool>) {
    return OrderedKey(ConvertElement<float>(x));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x)) return static_cast<Key>(~Key{0});
    const T positive_zero = x + T{0};
    Key bits = 0;
    std::memcpy(&bits, &positive_zero, sizeof bits);
    return (bits & kTop) != 0 ? ~bits : bits | kTop;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Key>(static_cast<Key>(x) ^ kTop);
  } else {
    return static_cast<Key>(x);
  }
}

}  // namespace micrort
