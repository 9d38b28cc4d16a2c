#pragma once
// Micro-kernels that run a list of vector instructions over elements: a block of vectors at a time, which
// stays in registers from the first instruction to the last.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/fused/fused_op.h"

namespace micrort {

// One of a kernel's own; it calls what the next instruction has.
using FusedHandler = void (*)();

struct FusedInstruction {
  FusedHandler handler;  // of the kernel that runs it
  void* memory;          // elements of this instruction, the first for the first of the run
  float a, b;
};

// Instructions up to kEnd, the first of which loads, for n elements, a multiple of the block.
using FusedF32Fn = void (*)(const FusedInstruction* program, size_t n);

struct FusedF32Kernel {
  const char* name;      // "fused_f32_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  size_t block;  // elements
  bool has_fma;  // as product_sums.h means it
  FusedHandler (*handler)(FusedOp op);
  FusedF32Fn run;
};

// The most elements of a block, of any kernel.
constexpr size_t kMaxFusedBlock = 128;

// Weakest first. All give the same bits.
Span<const FusedF32Kernel> FusedF32Kernels();
const FusedF32Kernel& SelectFusedF32(CpuFeatures features);
// The same for pieces of n elements, which may be fewer than the strongest one's block.
const FusedF32Kernel& SelectFusedF32(CpuFeatures features, size_t n);

#define MICRORT_FUSED_F32(name, set, block)     \
  FusedHandler FusedHandler_##name(FusedOp op); \
  void FusedF32_##name(const FusedInstruction* program, size_t n);
#include "kernels/fused/fused_f32.inc"
#undef MICRORT_FUSED_F32

}  // namespace micrort
