#pragma once
// What ends a run before it is done: Cancel() from another thread, or a deadline.

#include <atomic>
#include <cstdint>

#include "kernels/base/parallel.h"
#include "kernels/base/status.h"

namespace micrort {

class StopSignal {
 public:
  static constexpr uint64_t kNoDeadline = 0;

  // The time of a clock that never goes back, in microseconds.
  static uint64_t Now();

  // By the thread that runs, around a run; between runs, tiles are never skipped.
  void BeginRun(uint64_t deadline);
  void EndRun();
  // By any thread: the run in hand ends, or the next one.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  // By any worker of the run in hand.
  bool stopped() const {
    return runs_.load(std::memory_order_relaxed) && (cancelled_.load(std::memory_order_relaxed) || IsLate());
  }
  // kCancelled, kDeadlineExceeded or ok, as between runs.
  Status Check() const;

 private:
  bool IsLate() const { return deadline_ != kNoDeadline && Now() >= deadline_; }

  std::atomic<bool> cancelled_{false};
  std::atomic<bool> runs_{false};
  uint64_t deadline_ = kNoDeadline;  // written between runs only
};

// The calling thread alone, until stopped: what a kernel would write from then on is missing.
class SequentialUntilStopped final : public Parallel {
 public:
  explicit SequentialUntilStopped(const StopSignal* stop) : stop_(stop) {}

  int workers() const override { return 1; }
  void Run(size_t tiles, TileFn fn, void* context) const override {
    for (size_t t = 0; t < tiles && !(stop_ != nullptr && stop_->stopped()); ++t) fn(context, t, 0);
  }

 private:
  const StopSignal* stop_;  // or null
};

}  // namespace micrort
