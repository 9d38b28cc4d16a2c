#pragma once
// Threads for what takes longer than an event loop may be held up: large texts that are read or written.

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace micrort::serve {

// Thread-safe. What waits is bounded by the requests that there are: each posts one task at a time.
class WorkerPool {
 public:
  explicit WorkerPool(int threads);
  // Runs what waits.
  ~WorkerPool();

  // The task throws nothing.
  void Post(std::function<void()> task);
  // Whether nothing waits or runs by then.
  bool WaitUntil(std::chrono::steady_clock::time_point deadline);

 private:
  void Work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  size_t running_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace micrort::serve
