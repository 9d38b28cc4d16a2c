#pragma once
// Contract of the micro-kernels that multiply one row of floats by panels of halves, which become floats in
// registers: the memory of halves, and the bits of the float GEMM variant with the same panels.

#include "kernels/gemm/gemm_f32.h"

namespace micrort {

// A tile of one row, as wide as GemmF32RowPanels says; `halves` stand for its b.
using HalfRowF32Fn = void (*)(const GemmF32Tile& tile, const uint16_t* halves);

struct HalfRowF32Kernel {
  const char* name;      // "avx2_6x16"
  CpuFeatures features;  // all required
  KernelId gemm;         // the float GEMM variant
  HalfRowF32Fn run;
};

// Weakest first.
Span<const HalfRowF32Kernel> HalfRowF32Kernels();
// Null where the float GEMM variant reads nothing but floats.
HalfRowF32Fn HalfRowF32Of(const GemmF32Kernel& gemm);

#define MICRORT_HALF_ROW_F32(name, set) \
  void HalfRowF32_##name(const GemmF32Tile& tile, const uint16_t* halves);
#include "kernels/gemm/half_row_f32.inc"
#undef MICRORT_HALF_ROW_F32

}  // namespace micrort
