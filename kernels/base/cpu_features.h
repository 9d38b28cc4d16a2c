#pragma once
// Instruction sets that micro-kernel rows may require, and what this CPU has of them.

#include <cstdint>

namespace micrort {

// A bit set. A row runs where (required & available) == required.
using CpuFeatures = uint32_t;

enum CpuFeature : CpuFeatures {
  kCpuScalar = 0,
  kCpuSse41 = 1u << 0,
  kCpuAvx2 = 1u << 1,  // with FMA3 and F16C
  kCpuAvxVnni = 1u << 2,
  kCpuAvx512 = 1u << 3,  // F, BW, DQ, VL
  kCpuAvx512Vnni = 1u << 4,
  kCpuNeon = 1u << 8,
  kCpuFp16 = 1u << 9,  // AArch64 half-precision arithmetic
  kCpuDotProd = 1u << 10,
  kCpuI8mm = 1u << 11,
  // On Cortex-M: the DSP extension, and Helium (of integers), which comes with it.
  kCpuDsp = 1u << 12,
  kCpuMve = 1u << 13,
  kCpuSimd128 = 1u << 16,  // WebAssembly's vectors of 128 bits
};

// What the CPU and the operating system offer; found once, then cached. Thread-safe.
CpuFeatures DetectCpuFeatures();

// All that CPUs of the architecture may have that this was compiled for.
CpuFeatures ArchitectureFeatures();

// The features that `--isa NAME` allows: those of NAME and all that it builds on, e.g. "avx2" → SSE4.1 and
// AVX2. False for an unknown name. Names: scalar, sse41, avx2, avxvnni, avx512, avx512vnni, neon, fp16,
// dotprod, i8mm, dsp, mve, simd128.
bool ParseIsa(const char* name, CpuFeatures* out);

// The features of the strongest instruction set among them, with all that it builds on: where these are
// equal, kernels are chosen alike.
CpuFeatures StrongestIsa(CpuFeatures features);

// The name of the strongest feature of the set, as ParseIsa takes it; "scalar" for the empty set.
const char* IsaName(CpuFeatures features);

// Comma-separated names for --help and messages.
const char* IsaNames();

}  // namespace micrort
