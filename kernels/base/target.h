#pragma once
// CPUs that the converter plans for: told by the same features as the CPU at hand, and by the width of its
// addresses.

#include <cstddef>

#include "kernels/base/cpu_features.h"

namespace micrort {

// What a CPU is, beside its instruction sets. Every one has a width of addresses, which tells ARMv7 from
// AArch64, too; microcontrollers have hardly any memory, and no caches to speak of.
constexpr CpuFeatures kCpu32Bit = CpuFeatures{1} << 24;
constexpr CpuFeatures kCpu64Bit = CpuFeatures{1} << 25;
constexpr CpuFeatures kCpuMicrocontroller = CpuFeatures{1} << 26;
constexpr CpuFeatures kCpuTraits = kCpu32Bit | kCpu64Bit | kCpuMicrocontroller;

// What a pointer takes in scratch. Features without a width are those of this build.
constexpr size_t PointerBytes(CpuFeatures features) {
  return (features & kCpu32Bit) != 0 ? 4 : (features & kCpu64Bit) != 0 ? 8 : sizeof(void*);
}

// Those of the allowed features that this CPU has. What it is beside is no choice.
inline CpuFeatures AvailableFeatures(CpuFeatures allowed) {
  return (allowed | kCpuTraits) & DetectCpuFeatures();
}

// What `mnnconvert --target NAME` stands for, exactly: a name that ParseIsa takes, of 64-bit CPUs, or
// armv7-neon, wasm, cortex-m0plus, cortex-m3, cortex-m4, cortex-m7, cortex-m33, cortex-m55, of 32-bit ones.
// False for other names.
bool ParseTarget(const char* name, CpuFeatures* out);

// Whether this build knows the kernel variants of all these instruction sets, be it only their description.
bool KnowsKernelsOf(CpuFeatures features);

// The name of the strongest feature of the set, as ParseTarget takes it.
const char* TargetName(CpuFeatures features);

// Comma-separated names for --help and messages.
const char* TargetNames();

}  // namespace micrort
