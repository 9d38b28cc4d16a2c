#pragma once
// How long loading a model may take, and the way to end it early.

#include <atomic>
#include <chrono>

#include "serve/protocol/error.h"

namespace micrort::serve {

class LoadLimit {
 public:
  using Clock = std::chrono::steady_clock;

  // `is_cancelled` outlives the limit.
  LoadLimit(uint64_t seconds, const std::atomic<bool>* is_cancelled)
      : seconds_(seconds),
        deadline_(Clock::now() + std::chrono::seconds(seconds)),
        is_cancelled_(is_cancelled) {}

  Clock::time_point deadline() const { return deadline_; }
  // An error once loading has to end.
  Error Check() const {
    if (*is_cancelled_) return {ErrorKind::kUnavailable, "the server is ending"};
    if (Clock::now() < deadline_) return {};
    return {ErrorKind::kUnavailable,
            "loading took longer than " + std::to_string(seconds_) + " seconds (--load-seconds)"};
  }

 private:
  const uint64_t seconds_;
  const Clock::time_point deadline_;
  const std::atomic<bool>* is_cancelled_;
};

}  // namespace micrort::serve
