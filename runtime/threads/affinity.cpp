#include "runtime/threads/affinity.h"

#include <cerrno>

#include "micrort/cpus.h"

namespace micrort {

#if defined(__linux__)

namespace {

constexpr int kCpus = 64;

Status SetAffinity(uint64_t cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < kCpus; ++i) {
    if ((cpus >> i & 1) != 0) CPU_SET(static_cast<size_t>(i), &set);
  }
  if (sched_setaffinity(0, sizeof set, &set) == 0) return Status();
  return MICRORT_ERROR(kInvalidArgument,
                       "cpus 0x%llx: the system lets the thread run on none of them (error %d)",
                       static_cast<unsigned long long>(cpus), errno);
}

}  // namespace

Status ScopedBinding::Bind(uint64_t cpus) {
  if (cpus == 0) return Status();
  if (sched_getaffinity(0, sizeof before_, &before_) != 0)
    return MICRORT_ERROR(kUnsupported, "cpus: the system has more than %d CPUs", CPU_SETSIZE);
  MICRORT_RETURN_IF_ERROR(SetAffinity(cpus));
  is_bound_ = true;
  return Status();
}

ScopedBinding::~ScopedBinding() {
  if (is_bound_) sched_setaffinity(0, sizeof before_, &before_);
}

Status BindThread(uint64_t cpus) { return SetAffinity(cpus); }

#else

ScopedBinding::~ScopedBinding() = default;

Status ScopedBinding::Bind(uint64_t cpus) { return cpus == 0 ? Status() : BindThread(cpus); }

Status BindThread(uint64_t) {
  return MICRORT_ERROR(kUnsupported, "cpus: threads are bound on Linux only, found another system");
}

#endif

}  // namespace micrort
