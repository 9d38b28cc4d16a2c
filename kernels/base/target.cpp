#include "kernels/base/target.h"

#include <cstring>

namespace micrort {
namespace {

constexpr CpuFeatures kCortexM = kCpu32Bit | kCpuMicrocontroller;

// Targets that are not what some instruction set of a 64-bit CPU names.
constexpr struct {
  const char* name;
  CpuFeatures features;
} kDevices[] = {
    {"armv7-neon", kCpuNeon | kCpu32Bit},
    // Browsers and Node, where they have vectors.
    {"wasm", kCpuSimd128 | kCpu32Bit},
    {"cortex-m0plus", kCortexM},
    {"cortex-m3", kCortexM},
    {"cortex-m4", kCortexM | kCpuDsp},
    {"cortex-m7", kCortexM | kCpuDsp},
    {"cortex-m33", kCortexM | kCpuDsp},
    {"cortex-m55", kCortexM | kCpuDsp | kCpuMve},
};

}  // namespace

bool ParseTarget(const char* name, CpuFeatures* out) {
  for (const auto& device : kDevices) {
    if (std::strcmp(device.name, name) != 0) continue;
    *out = device.features;
    return true;
  }
  if (!ParseIsa(name, out)) return false;
  *out |= kCpu64Bit;
  return (*out & (kCpuDsp | kCpuSimd128)) == 0;
}

bool KnowsKernelsOf(CpuFeatures features) {
  constexpr struct {
    CpuFeatures feature;
    int kernels;
  } kSets[] = {{kCpuSse41, MICRORT_KERNELS_sse41},
               {kCpuAvx2, MICRORT_KERNELS_avx2},
               {kCpuAvxVnni, MICRORT_KERNELS_avxvnni},
               {kCpuAvx512, MICRORT_KERNELS_avx512},
               {kCpuAvx512Vnni, MICRORT_KERNELS_avx512vnni},
               {kCpuNeon | kCpu64Bit, MICRORT_KERNELS_neon64},
               {kCpuNeon | kCpu32Bit, MICRORT_KERNELS_neon32},
               {kCpuFp16, MICRORT_KERNELS_fp16},
               {kCpuDotProd, MICRORT_KERNELS_dotprod},
               {kCpuI8mm, MICRORT_KERNELS_i8mm},
               {kCpuDsp, MICRORT_KERNELS_dsp},
               {kCpuMve, MICRORT_KERNELS_mve},
               {kCpuSimd128, MICRORT_KERNELS_simd128}};
  for (const auto& set : kSets) {
    if (set.kernels == 0 && (set.feature & features) == set.feature) return false;
  }
  return true;
}

const char* TargetName(CpuFeatures features) {
  constexpr CpuFeatures kArmv7 = kCpuNeon | kCpu32Bit;
  if ((features & kCpuMicrocontroller) != 0) {
    return (features & kCpuMve) != 0 ? "cortex-m55" : (features & kCpuDsp) != 0 ? "cortex-m4" : "cortex-m3";
  }
  if ((features & kCpuSimd128) != 0) return "wasm";
  return (features & kArmv7) == kArmv7 ? kDevices[0].name : IsaName(features);
}

const char* TargetNames() {
  return "scalar, sse41, avx2, avxvnni, avx512, avx512vnni, neon, fp16, dotprod, i8mm, armv7-neon, wasm, "
         "cortex-m0plus, cortex-m3, cortex-m4, cortex-m7, cortex-m33, cortex-m55";
}

}  // namespace micrort
