#pragma once
// On which CPUs threads run.

#include <cstdint>

#include "kernels/base/status.h"

#if defined(__linux__)
#include <sched.h>
#endif

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

#if defined(__linux__)
 private:
  bool is_bound_ = false;
  cpu_set_t before_;
#endif
};

// See micrort/cpus.h. `folder` stands for /sys/devices/system/cpu, `allowed` for what the thread may run on.
enum class CpuSpeed { kBig, kLittle };
uint64_t CpusOfSpeed(CpuSpeed speed, const char* folder, uint64_t allowed);
// The big ones, if cores differ and there is one for each of so many threads; else 0.
uint64_t BigCpusFor(int threads, const char* folder, uint64_t allowed);

// Where threads of the library run unless its caller says where: on ARM, BigCpusFor this system. 0: as the
// system decides. (Clocks of x86 differ among cores that are alike.)
#if defined(__linux__) && !defined(MICRORT_NO_HEAP) && (defined(__aarch64__) || defined(__arm__))
uint64_t DefaultCpus(int threads);
#else
inline uint64_t DefaultCpus(int) { return 0; }
#endif

}  // namespace micrort
