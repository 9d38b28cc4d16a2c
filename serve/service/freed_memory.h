#pragma once
// Memory that has been freed, and that the allocator keeps for what is allocated next.

#include <chrono>
#include <cstdint>

namespace micrort::serve {

// Bytes of this process in RAM; 0 if the system does not say.
uint64_t ResidentBytes();

// Gives all of it back to the system. Takes milliseconds for each 100 MB.
void GiveBackFreedMemory();

// Gives it back when the process has grown, and from time to time while that helps. The allocator has a heap
// for each thread and does not give back what lies below its last block, so many large requests at once would
// leave most of their memory behind.
class FreedMemory {
 public:
  using Clock = std::chrono::steady_clock;

  // To be called a few times a second. True if memory came back.
  bool GiveBackIfWorthIt(Clock::time_point now);

 private:
  uint64_t last_ = 0;  // resident bytes after the last time
  Clock::time_point next_{};
  std::chrono::seconds wait_{1};
};

}  // namespace micrort::serve
