#include "kernels/base/cpu_features.h"

#include <atomic>
#include <cstring>

#include "kernels/base/platform/arm_features.h"
#include "kernels/base/target.h"

#if defined(MICRORT_CPUINFO)
#include <cpuinfo.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace micrort {
namespace {

struct Isa {
  const char* name;
  CpuFeatures features;
};

constexpr CpuFeatures kUpToAvx2 = kCpuSse41 | kCpuAvx2;
constexpr CpuFeatures kUpToAvx512 = kUpToAvx2 | kCpuAvx512;
// Weakest first within a family.
constexpr Isa kIsas[] = {
    {"scalar", kCpuScalar},
    {"sse41", kCpuSse41},
    {"avx2", kUpToAvx2},
    {"avxvnni", kUpToAvx2 | kCpuAvxVnni},
    {"avx512", kUpToAvx512},
    {"avx512vnni", kUpToAvx512 | kCpuAvx512Vnni},
    {"neon", kCpuNeon},
    {"fp16", kCpuNeon | kCpuFp16},
    {"dotprod", kCpuNeon | kCpuFp16 | kCpuDotProd},
    {"i8mm", kCpuNeon | kCpuFp16 | kCpuDotProd | kCpuI8mm},
    {"dsp", kCpuDsp},
    {"mve", kCpuDsp | kCpuMve},
    {"simd128", kCpuSimd128},
};

#if defined(__x86_64__) || defined(__i386__)
// Only newer versions of cpuinfo tell it.
bool HasAvxVnni() {
  constexpr uint32_t kAvxVnniBit = 1u << 4;  // leaf 7, subleaf 1, EAX
  uint32_t a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d) &&
         (a & kAvxVnniBit) != 0;
}
#endif

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
constexpr CpuFeatures kTraits = kCpu32Bit | kCpuMicrocontroller;
#else
constexpr CpuFeatures kTraits = sizeof(void*) == 4 ? kCpu32Bit : kCpu64Bit;
#endif

#if defined(MICRORT_CPUINFO)

CpuFeatures Probe() {
  if (!cpuinfo_initialize()) return kCpuScalar;
  CpuFeatures f = 0;
#if defined(__x86_64__) || defined(__i386__)
  if (cpuinfo_has_x86_sse4_1()) f |= kCpuSse41;
  if (cpuinfo_has_x86_avx2() && cpuinfo_has_x86_fma3() && cpuinfo_has_x86_f16c()) f |= kCpuAvx2;
  if ((f & kCpuAvx2) && HasAvxVnni()) f |= kCpuAvxVnni;
  if (cpuinfo_has_x86_avx512f() && cpuinfo_has_x86_avx512bw() && cpuinfo_has_x86_avx512dq() &&
      cpuinfo_has_x86_avx512vl()) {
    f |= kCpuAvx512;
    if (cpuinfo_has_x86_avx512vnni()) f |= kCpuAvx512Vnni;
  }
#else
  if (cpuinfo_has_arm_neon()) f |= kCpuNeon;
  if (cpuinfo_has_arm_neon_fp16_arith()) f |= kCpuFp16;
  if (cpuinfo_has_arm_neon_dot()) f |= kCpuDotProd;
#endif
#if defined(__aarch64__)
  f |= ProbeArm() & kCpuI8mm;  // which only newer versions of cpuinfo tell
#endif
  return f;
}

#elif defined(__x86_64__) || defined(__i386__)

// The operating system must save the registers too: XCR0 tells which ones it does.
uint32_t EnabledRegisterState() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

CpuFeatures Probe() {
  uint32_t a, b, c, d;
  CpuFeatures f = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return f;
  if (c & bit_SSE4_1) f |= kCpuSse41;
  const bool has_fma = (c & bit_FMA) && (c & bit_F16C) && (c & bit_AVX);
  const uint32_t state = (c & bit_OSXSAVE) ? EnabledRegisterState() : 0;
  const bool ymm_saved = (state & 0x6) == 0x6;
  const bool zmm_saved = (state & 0xe6) == 0xe6;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return f;
  if (ymm_saved && has_fma && (b & bit_AVX2)) f |= kCpuAvx2;
  constexpr uint32_t kAvx512Bits = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
  if ((f & kCpuAvx2) && zmm_saved && (b & kAvx512Bits) == kAvx512Bits) {
    f |= kCpuAvx512;
    if (c & bit_AVX512VNNI) f |= kCpuAvx512Vnni;
  }
  if ((f & kCpuAvx2) && HasAvxVnni()) f |= kCpuAvxVnni;
  return f;
}

#elif defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 1)

CpuFeatures Probe() { return kCpuDsp | kCpuMve; }

#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && defined(__ARM_FEATURE_SIMD32)

CpuFeatures Probe() { return kCpuDsp; }

#elif defined(__wasm_simd128__)

CpuFeatures Probe() { return kCpuSimd128; }

#elif MICRORT_ARCH_ARM

CpuFeatures Probe() { return ProbeArm(); }

#else

CpuFeatures Probe() { return kCpuScalar; }

#endif

}  // namespace

CpuFeatures DetectCpuFeatures() {
  // Threads may probe at the same time, and find the same. No static object with a guard, which C++'s library
  // has.
  static std::atomic<CpuFeatures> known{0};
  static_assert(kTraits != 0);
  CpuFeatures features = known.load(std::memory_order_relaxed);
  if (features == 0) known.store(features = Probe() | kTraits, std::memory_order_relaxed);
  return features;
}

CpuFeatures ArchitectureFeatures() {
#if defined(__x86_64__) || defined(__i386__)
  return kUpToAvx512 | kCpuAvxVnni | kCpuAvx512Vnni | kTraits;
#elif defined(__aarch64__)
  return kCpuNeon | kCpuFp16 | kCpuDotProd | kCpuI8mm | kTraits;
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  return kCpuDsp | kCpuMve | kTraits;
#elif defined(__arm__)
  return kCpuNeon | kTraits;
#elif defined(__wasm_simd128__)
  return kCpuSimd128 | kTraits;
#else
  return kTraits;
#endif
}

bool ParseIsa(const char* name, CpuFeatures* out) {
  for (const Isa& isa : kIsas) {
    if (std::strcmp(isa.name, name) == 0) {
      *out = isa.features;
      return true;
    }
  }
  return false;
}

namespace {

const Isa& Strongest(CpuFeatures features) {
  const Isa* strongest = kIsas;
  for (const Isa& isa : kIsas) {
    if ((isa.features & features) == isa.features) strongest = &isa;
  }
  return *strongest;
}

}  // namespace

CpuFeatures StrongestIsa(CpuFeatures features) { return Strongest(features).features; }

const char* IsaName(CpuFeatures features) { return Strongest(features).name; }

const char* IsaNames() {
  return "scalar, sse41, avx2, avxvnni, avx512, avx512vnni, neon, fp16, dotprod, i8mm, dsp, mve, simd128";
}

}  // namespace micrort
