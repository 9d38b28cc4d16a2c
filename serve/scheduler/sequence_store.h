#pragma once
// The state of sequences between their requests. One that is not used for a while is given up, so that
// clients that went away do not fill it.

#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "serve/scheduler/job.h"

namespace micrort::serve {

class SequenceStore {
 public:
  SequenceStore(size_t most, size_t most_bytes, uint64_t max_idle_us)
      : most_(most), most_bytes_(most_bytes), max_idle_(max_idle_us) {}

  // Null if there is none, or it was idle for too long.
  const std::vector<uint8_t>* Find(uint64_t sequence, Clock::time_point now);
  // Where to keep `bytes` of state; null if there is no room for a new sequence, or for so many bytes.
  std::vector<uint8_t>* Keep(uint64_t sequence, size_t bytes, Clock::time_point now);
  void End(uint64_t sequence);
  size_t size() const { return by_number_.size(); }

 private:
  struct Sequence {
    uint64_t number;
    Clock::time_point used;
    std::vector<uint8_t> state;
  };
  void GiveUpIdle(Clock::time_point now);

  const size_t most_, most_bytes_;
  size_t bytes_ = 0;
  const std::chrono::microseconds max_idle_;
  std::list<Sequence> sequences_;  // the one that was used the longest ago first
  std::unordered_map<uint64_t, std::list<Sequence>::iterator> by_number_;
};

}  // namespace micrort::serve
