#pragma once
// How models share the processors: so many threads compute at once, in order of arrival, whichever model
// asks.

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace micrort::serve {

class ComputeGate {
 public:
  explicit ComputeGate(int threads) : free_(threads), all_(threads) {}

  // Waits until `threads` of them are free (at most all) and nobody who came before still waits; returns how
  // many were taken.
  int Enter(int threads);
  // 0 if that would take waiting.
  int TryEnter(int threads);
  void Leave(int taken);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t next_ticket_ = 0, serving_ = 0;
  int free_;
  const int all_;
};

}  // namespace micrort::serve
