#pragma once
// How fast CPUs are, as far as the system tells. A set of CPUs is as in micrort/cpus.h.

#include <cstdint>

namespace micrort {

// Where Linux tells it.
constexpr char kCpuFolder[] = "/sys/devices/system/cpu";

// See micrort/cpus.h. `folder` stands for kCpuFolder, `allowed` for what the thread may run on. 0 where
// nothing tells.
enum class CpuSpeed { kBig, kLittle };
uint64_t CpusOfSpeed(CpuSpeed speed, const char* folder, uint64_t allowed);
// The big ones, if cores differ and there is one for each of so many threads; else 0.
uint64_t BigCpusFor(int threads, const char* folder, uint64_t allowed);

}  // namespace micrort
