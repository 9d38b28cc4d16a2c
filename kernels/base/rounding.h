#pragma once
// How results become integers.

#include <cstdint>

namespace micrort {

enum class Rounding : uint8_t {
  kExact,   // the nearest, halves to even
  kTflite,  // as TensorFlow Lite's reference kernels compute them (kernels/base/fixed_point.h)
};

}  // namespace micrort
