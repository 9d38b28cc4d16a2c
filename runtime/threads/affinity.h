#pragma once
// On which CPUs threads run.

#include <cstdint>

#include "kernels/base/platform/thread_cpus.h"
#include "kernels/base/status.h"

namespace micrort {

// Binds the calling thread, for the life of the object. Threads that it starts meanwhile stay bound.
class ScopedBinding {
 public:
  ScopedBinding() = default;
  ~ScopedBinding();
  ScopedBinding(const ScopedBinding&) = delete;
  ScopedBinding& operator=(const ScopedBinding&) = delete;

  // Once; as BindThread() of micrort/cpus.h, but 0 leaves the thread where it is.
  Status Bind(uint64_t cpus);

 private:
  bool is_bound_ = false;
  CpuSet before_;
};

// Where threads of the library run unless its caller says where: on ARM, BigCpusFor this system. 0: as the
// system decides. (Clocks of x86 differ among cores that are alike.)
#if MICRORT_ARCH_ARM && !defined(MICRORT_NO_HEAP)
uint64_t DefaultCpus(int threads);
#else
inline uint64_t DefaultCpus(int) { return 0; }
#endif

}  // namespace micrort
