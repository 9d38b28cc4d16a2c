#include "kernels/base/platform/cpu_speed.h"

namespace micrort {

uint64_t CpusOfSpeed(CpuSpeed, const char*, uint64_t) { return 0; }
uint64_t BigCpusFor(int, const char*, uint64_t) { return 0; }

}  // namespace micrort
