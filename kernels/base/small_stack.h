#pragma once
// Whether buffers on the stack have to be small: microcontrollers have a few KiB of it.

namespace micrort {

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
constexpr bool kSmallStack = true;
#else
constexpr bool kSmallStack = false;
#endif

}  // namespace micrort
