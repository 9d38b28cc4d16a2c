#include "runtime/threads/stop_signal.h"

#if !defined(MICRORT_NO_HEAP)
#include <ctime>
#endif

namespace micrort {

#if defined(MICRORT_NO_HEAP)
// There is no system to ask, and no run has a deadline.
uint64_t StopSignal::Now() { return 0; }
#else
uint64_t StopSignal::Now() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000 + static_cast<uint64_t>(now.tv_nsec) / 1000;
}
#endif

void StopSignal::BeginRun(uint64_t deadline) {
  deadline_ = deadline;
  runs_.store(true, std::memory_order_relaxed);
}

void StopSignal::EndRun() {
  runs_.store(false, std::memory_order_relaxed);
  cancelled_.store(false, std::memory_order_relaxed);
}

Status StopSignal::Check() const {
  if (!runs_.load(std::memory_order_relaxed)) return Status();
  if (cancelled_.load(std::memory_order_relaxed)) return MICRORT_ERROR(kCancelled, "cancelled by its caller");
  if (IsLate()) return MICRORT_ERROR(kDeadlineExceeded, "not done when its time was over");
  return Status();
}

}  // namespace micrort
