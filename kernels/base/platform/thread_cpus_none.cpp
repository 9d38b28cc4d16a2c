#include "kernels/base/platform/thread_cpus.h"

namespace micrort {

int GetThreadCpus(CpuSet*) { return kCannotBindThreads; }
int SetThreadCpus(const CpuSet&) { return kCannotBindThreads; }

}  // namespace micrort
