#pragma once
// A clock that nobody sets.

#include <cstdint>

#if !defined(MICRORT_NO_HEAP)
#include <ctime>
#endif

namespace micrort {

// Microseconds since some moment; 0 where there is no system to ask.
inline uint64_t MonotonicMicroseconds() {
#if defined(MICRORT_NO_HEAP)
  return 0;
#else
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000 + static_cast<uint64_t>(now.tv_nsec) / 1000;
#endif
}

}  // namespace micrort
