#pragma once
// The cores of this machine: their types, and the caches that each has.

#include <cstdint>
#include <string>
#include <vector>

namespace micrort {

struct CoreType {
  std::string name;  // "Cortex-A76"; on x86 of the processor
  int count = 0;
  uint64_t l1d_bytes = 0, l2_bytes = 0, l3_bytes = 0;  // that a core reaches; 0: none, or not known
};

// As cpuinfo says; empty in builds without it (MICRORT_CPUINFO).
#if defined(MICRORT_CPUINFO)
std::vector<CoreType> CoreTypes();
#else
inline std::vector<CoreType> CoreTypes() { return {}; }
#endif

}  // namespace micrort
