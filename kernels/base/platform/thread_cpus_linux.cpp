#include <sched.h>

#include <cerrno>
#include <cstring>

#include "kernels/base/platform/thread_cpus.h"

namespace micrort {

static_assert(sizeof(CpuSet) >= sizeof(cpu_set_t), "both are bits from the first CPU on");

int GetThreadCpus(CpuSet* cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return errno;
  *cpus = CpuSet();
  std::memcpy(cpus->words, &set, sizeof set);
  return 0;
}

int SetThreadCpus(const CpuSet& cpus) {
  cpu_set_t set;
  std::memcpy(&set, cpus.words, sizeof set);
  return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}

}  // namespace micrort
