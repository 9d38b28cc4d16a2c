#include "runtime/threads/stop_signal.h"

#include "kernels/base/platform/clock.h"

namespace micrort {

uint64_t StopSignal::Now() { return MonotonicMicroseconds(); }

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
