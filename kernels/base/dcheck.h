#pragma once
// MICRORT_DCHECK(condition): what a kernel's header asks of its caller, in builds without NDEBUG and with
// AddressSanitizer. Prints place and condition and ends the program if it does not hold. Elsewhere it is no
// code, and the condition is not evaluated: no data of a file or of a user may depend on it.

#if !defined(NDEBUG) || defined(__SANITIZE_ADDRESS__)
#define MICRORT_DCHECKS 1
#define MICRORT_DCHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::micrort::DcheckFailed(#condition, __FILE__, __LINE__))
#else
#define MICRORT_DCHECKS 0
#define MICRORT_DCHECK(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#endif

#include <cstdint>

namespace micrort {

[[noreturn]] void DcheckFailed(const char* condition, const char* file, int line);

// Whether memory for scratch lies as kernels ask; null does.
inline bool IsAligned(const void* p, uintptr_t alignment = 64) {
  return reinterpret_cast<uintptr_t>(p) % alignment == 0;
}

}  // namespace micrort
