#pragma once
// Whether the build computes with int16 that stand for numbers (MICRORT_INT16).

#include "kernels/base/int16_option.h"  // made by CMake

namespace micrort {

#if defined(MICRORT_NO_INT16)
constexpr bool kHasInt16 = false;
#else
constexpr bool kHasInt16 = true;
#endif

}  // namespace micrort
