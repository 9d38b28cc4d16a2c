#pragma once
// Features of ARM application processors (Cortex-A, Apple). Programs cannot read them; the system tells them.

#include "kernels/base/cpu_features.h"

#if defined(__linux__) && (defined(__aarch64__) || defined(__arm__))
#include <sys/auxv.h>
#elif defined(__APPLE__) && defined(__aarch64__)
#include <sys/sysctl.h>
#endif

namespace micrort {

#if defined(__linux__) && defined(__aarch64__)

inline CpuFeatures ProbeArm() {
  // Bits of AT_HWCAP and AT_HWCAP2 in Linux's arch/arm64/include/uapi/asm/hwcap.h.
  constexpr unsigned long kHwcapAsimdHp = 1ul << 10, kHwcapAsimdDp = 1ul << 20, kHwcap2I8mm = 1ul << 13;
  const unsigned long hwcap = getauxval(AT_HWCAP);
  CpuFeatures f = kCpuNeon;
  if (hwcap & kHwcapAsimdHp) f |= kCpuFp16;
  if (hwcap & kHwcapAsimdDp) f |= kCpuDotProd;
  if (getauxval(AT_HWCAP2) & kHwcap2I8mm) f |= kCpuI8mm;
  return f;
}

#elif defined(__linux__) && defined(__arm__)

inline CpuFeatures ProbeArm() {
  constexpr unsigned long kHwcapNeon = 1ul << 12;
  return (getauxval(AT_HWCAP) & kHwcapNeon) ? kCpuNeon : kCpuScalar;
}

#elif defined(__APPLE__) && defined(__aarch64__)

// Systems that do not know the name of a feature do not have it.
inline bool HasAppleFeature(const char* name) {
  int value = 0;
  size_t bytes = sizeof value;
  return sysctlbyname(name, &value, &bytes, nullptr, 0) == 0 && value != 0;
}

inline CpuFeatures ProbeArm() {
  CpuFeatures f = kCpuNeon;
  if (HasAppleFeature("hw.optional.arm.FEAT_FP16")) f |= kCpuFp16;
  if (HasAppleFeature("hw.optional.arm.FEAT_DotProd")) f |= kCpuDotProd;
  if (HasAppleFeature("hw.optional.arm.FEAT_I8MM")) f |= kCpuI8mm;
  return f;
}

#elif defined(__aarch64__)

inline CpuFeatures ProbeArm() { return kCpuNeon; }  // the architecture has it, and nobody tells more

#else

inline CpuFeatures ProbeArm() { return kCpuScalar; }

#endif

}  // namespace micrort
