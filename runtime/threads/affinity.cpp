#include "runtime/threads/affinity.h"

#include "kernels/base/platform/cpu_speed.h"
#include "micrort/cpus.h"

namespace micrort {

namespace {

Status CannotBind() {
  return MICRORT_ERROR(kUnsupported,
                       "cpus: threads are bound on Linux and Windows only, found another system");
}

// The CPUs on which the calling thread may run, of the 64 that a bit set names.
uint64_t AllowedCpus() {
  CpuSet set;
  return GetThreadCpus(&set) == 0 ? set.words[0] : 0;
}

}  // namespace

Status ScopedBinding::Bind(uint64_t cpus) {
  if (cpus == 0) return Status();
  const int error = GetThreadCpus(&before_);
  if (error == kCannotBindThreads) return CannotBind();
  if (error != 0) return MICRORT_ERROR(kUnsupported, "cpus: the system has more than %d CPUs", CpuSet::kMost);
  MICRORT_RETURN_IF_ERROR(BindThread(cpus));
  is_bound_ = true;
  return Status();
}

ScopedBinding::~ScopedBinding() {
  if (is_bound_) SetThreadCpus(before_);
}

Status BindThread(uint64_t cpus) {
  CpuSet set;
  set.words[0] = cpus;
  const int error = SetThreadCpus(set);
  if (error == kCannotBindThreads) return CannotBind();
  if (error == 0) return Status();
  return MICRORT_ERROR(kInvalidArgument,
                       "cpus 0x%llx: the system lets the thread run on none of them (error %d)",
                       static_cast<unsigned long long>(cpus), error);
}

#if MICRORT_ARCH_ARM && !defined(MICRORT_NO_HEAP)
uint64_t DefaultCpus(int threads) {
  return threads == 1 ? 0 : BigCpusFor(threads, kCpuFolder, AllowedCpus());
}
#endif

uint64_t BigCpus() { return CpusOfSpeed(CpuSpeed::kBig, kCpuFolder, AllowedCpus()); }
uint64_t LittleCpus() { return CpusOfSpeed(CpuSpeed::kLittle, kCpuFolder, AllowedCpus()); }

}  // namespace micrort
