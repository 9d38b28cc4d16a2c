#include "serve/scheduler/compute_gate.h"

#include <algorithm>

namespace micrort::serve {

int ComputeGate::Enter(int threads) {
  const int wanted = std::min(threads, all_);
  std::unique_lock lock(mutex_);
  const uint64_t ticket = next_ticket_++;
  changed_.wait(lock, [&] { return ticket == serving_ && free_ >= wanted; });
  ++serving_;
  free_ -= wanted;
  const bool others_wait = serving_ != next_ticket_;
  lock.unlock();
  if (others_wait) changed_.notify_all();
  return wanted;
}

int ComputeGate::TryEnter(int threads) {
  const int wanted = std::min(threads, all_);
  const std::lock_guard lock(mutex_);
  if (serving_ != next_ticket_ || free_ < wanted) return 0;
  free_ -= wanted;
  return wanted;
}

void ComputeGate::Leave(int taken) {
  bool others_wait = false;
  {
    const std::lock_guard lock(mutex_);
    free_ += taken;
    others_wait = serving_ != next_ticket_;
  }
  if (others_wait) changed_.notify_all();
}

}  // namespace micrort::serve
