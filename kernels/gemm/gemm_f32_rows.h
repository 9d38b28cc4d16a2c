#pragma once
// Any number of rows by any micro-kernel.

#include "kernels/gemm/gemm_f32.h"

namespace micrort {

// Runs tile->m rows, any number: one tile of rows after another, from the first on, where the micro-kernel
// does not take all of them. The tile is used up.
inline void RunGemmF32Rows(const GemmF32Kernel& kernel, GemmF32Tile* tile) {
  if (kernel.rows == GemmF32Rows::kAny) return kernel.run(*tile);
  // Members are copied: for all a compiler knows, a kernel changes them.
  const size_t mr = kernel.mr, step = tile->a_step, outputs = mr * tile->c_stride;
  const size_t started = mr * tile->start_stride, next = tile->next_step * tile->taps * tile->channels;
  const GemmF32Fn run = kernel.run;
  for (size_t left = tile->m; left > 0; left -= tile->m) {
    tile->m = left < mr ? left : mr;
    run(*tile);
    tile->a += step;
    tile->c += outputs;
    if (tile->start != nullptr) tile->start += started;
    tile->next += next;
  }
}

}  // namespace micrort
