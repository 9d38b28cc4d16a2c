#pragma once
// Softmax and LogSoftmax of int8 or halves along one axis: computed in floats, a few rows at a time.

#include "kernels/elementwise/convert_f32.h"
#include "kernels/elementwise/softmax_f32.h"

namespace micrort {

// Plain data.
struct SoftmaxNarrowTask {
  SoftmaxShape shape;
  bool log;
  QuantizationParams x, y;  // of int8
  KernelId softmax = KernelId::none;
  KernelId convert = KernelId::none;
};

// kTooManyBytes: there is no such block.
size_t SoftmaxNarrowScratchBytes(const SoftmaxShape& shape, int workers);

// x and y are halves, or int8. `scratch`: as large as asked for with at least parallel.workers() workers,
// aligned to 64 bytes. y may be x.
void SoftmaxNarrow(const SoftmaxNarrowTask& task, bool half, const void* x, void* y, void* scratch,
                   const Parallel& parallel);

}  // namespace micrort
