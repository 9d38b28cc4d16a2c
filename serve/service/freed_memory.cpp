#include "serve/service/freed_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace micrort::serve {
namespace {

constexpr uint64_t kMuch = 64 << 20, kWorthIt = 8 << 20;
constexpr std::chrono::seconds kShortest{1}, kLongest{64};

}  // namespace

uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0, resident = 0;
  return file >> all >> resident ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

void GiveBackFreedMemory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

bool FreedMemory::GiveBackIfWorthIt(Clock::time_point now) {
  const uint64_t resident = ResidentBytes();
  last_ = std::min(last_, resident);
  const bool has_grown = resident >= last_ + kMuch;
  if (!has_grown && (now < next_ || resident < kMuch)) return false;
  GiveBackFreedMemory();
  last_ = ResidentBytes();
  const bool came_back = last_ + kWorthIt <= resident;
  wait_ = has_grown || came_back ? kShortest : std::min(2 * wait_, kLongest);
  next_ = now + wait_;
  return came_back;
}

}  // namespace micrort::serve
