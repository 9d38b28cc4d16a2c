#pragma once
// Contract of the micro-kernels of float convolutions whose groups have four or eight channels, in and out. A
// vector of outputs belongs to several groups; the inputs of all of them are one vector, too, of which each
// product takes one channel a group.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/gemm/gemm_f32.h"

namespace micrort {

// A GemmF32Tile of `nr` columns, all of which exist, by filters of `channels` elements a tap, 4 or 8.
// Pointers of A are to the first of the inputs that belong to the columns; B is packed [taps][channels][nr].
// It has no `next` and no `panel_stride`.
using GroupedF32Fn = void (*)(const GemmF32Tile& tile);

struct GroupedF32Kernel {
  const char* name;      // "avx2_8x8"
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr, nr;
  size_t lanes;  // as of GemmF32Kernel
  GroupedF32Fn run;
};

// Weakest first. All give the same sums but for rounding.
Span<const GroupedF32Kernel> GroupedF32Kernels();

#define MICRORT_GROUPED_F32(name, ...) void GroupedF32_##name(const GemmF32Tile& tile);
#include "kernels/grouped_conv/grouped_f32.inc"
#undef MICRORT_GROUPED_F32

}  // namespace micrort
