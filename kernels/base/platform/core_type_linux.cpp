#include <cstdint>

#include "kernels/base/core_type.h"

#if defined(__aarch64__)
#include <fcntl.h>
#include <sched.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#endif

namespace micrort {

#if defined(__aarch64__)

namespace {

// MIDR_EL1 of the current core, which Linux lets programs read where it says so; else 0.
uint64_t MainIdHere() {
  constexpr unsigned long kHwcapCpuid = 1ul << 11;  // of AT_HWCAP, in arch/arm64/include/uapi/asm/hwcap.h
  if ((getauxval(AT_HWCAP) & kHwcapCpuid) == 0) return 0;
  uint64_t id;
  __asm__("mrs %0, MIDR_EL1" : "=r"(id));
  return id;
}

// The same of any core, from Linux's sysfs, or 0.
#if defined(MICRORT_NO_HEAP)
uint64_t MainIdOf(int) { return 0; }  // there are no files either
#else
uint64_t MainIdOf(int cpu) {
  char path[80], text[32];
  std::snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1", cpu);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size < 0 ? 0 : size] = '\0';
  return std::strtoull(text, nullptr, 16);
}
#endif

// Implementer and part number, as in Linux's arch/arm64/include/asm/cputype.h: cores for which a load of 128
// bits stops everything else for two cycles.
bool IsInOrder(uint64_t id) {
  constexpr struct {
    uint64_t implementer, part;
  } kCores[] = {
      {0x41, 0xd03},  // Arm Cortex-A53
      {0x41, 0xd04},  // A35
      {0x41, 0xd05},  // A55
      {0x51, 0x801},  // Qualcomm Kryo 2xx Silver: A53
      {0x51, 0x803},  // Kryo 3xx Silver: A55
      {0x51, 0x805},  // Kryo 4xx Silver: A55
  };
  for (const auto& core : kCores) {
    if ((id >> 24 & 0xff) == core.implementer && (id >> 4 & 0xfff) == core.part) return true;
  }
  return false;
}

bool ProbeInOrder() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return IsInOrder(MainIdHere());
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &cpus)) continue;
    const uint64_t id = MainIdOf(cpu);
    if (id == 0) return IsInOrder(MainIdHere());
    if (!IsInOrder(id)) return false;
  }
  return true;
}

}  // namespace

bool RunsInOrder() {
  // Threads may probe at the same time. No static object with a guard, which C++'s library has.
  enum class Cores : uint8_t { kUnknown, kInOrder, kOthers };
  static std::atomic<Cores> known{Cores::kUnknown};
  Cores cores = known.load(std::memory_order_relaxed);
  if (cores == Cores::kUnknown) {
    cores = ProbeInOrder() ? Cores::kInOrder : Cores::kOthers;
    known.store(cores, std::memory_order_relaxed);
  }
  return cores == Cores::kInOrder;
}

#else

bool RunsInOrder() { return false; }

#endif

}  // namespace micrort
