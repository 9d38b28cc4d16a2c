#pragma once
// Softmax and LogSoftmax of int8 along one axis: computed in floats, a few rows at a time.

#include "kernels/elementwise/convert_f32.h"
#include "kernels/elementwise/softmax_f32.h"

namespace micrort {

// Plain data.
struct SoftmaxS8Task {
  SoftmaxShape shape;
  bool log;
  QuantizationParams x, y;
  KernelId softmax = KernelId::none;
  KernelId convert = KernelId::none;
};

// False if it is too much for memory.
[[nodiscard]] bool SoftmaxS8ScratchBytes(const SoftmaxShape& shape, int workers, size_t* bytes);

// `scratch`: as large as asked for with at least parallel.workers() workers, aligned to 64 bytes. y may be x.
void SoftmaxS8(const SoftmaxS8Task& task, const int8_t* x, int8_t* y, void* scratch,
               const Parallel& parallel);

}  // namespace micrort
