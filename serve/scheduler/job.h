#pragma once
// One request on its way through a model's queue.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "serve/protocol/tensor.h"

namespace micrort::serve {

using Clock = std::chrono::steady_clock;

inline uint64_t Nanoseconds(Clock::time_point from, Clock::time_point to) {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count());
}

// Called once, by any thread; must not block. The job's request is alive.
using InferCallback = std::function<void(const InferRequest&, const Error&, InferResponse)>;

struct Job {
  InferRequest request;  // inputs in the order of the model's
  InferCallback done;
  Clock::time_point enqueued;
  Clock::time_point deadline = Clock::time_point::max();        // of the request
  Clock::time_point queue_deadline = Clock::time_point::max();  // until when it may wait
  int64_t rows = 1;       // in the first dimension, where the model has batches
  uint32_t priority = 1;  // 1: the first
  // Jobs of one key can share a run: their inputs differ in the first dimension at most.
  std::string batch_key;
  std::atomic<bool> is_cancelled{false};
};

using JobPtr = std::shared_ptr<Job>;

}  // namespace micrort::serve
