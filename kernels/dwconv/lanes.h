#pragma once

#include <cstddef>

namespace micrort {

constexpr size_t kDwConvLanes = 8;  // channels of one block of packed depthwise weights

}  // namespace micrort
