#pragma once

#include <limits>

namespace micrort {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace micrort
