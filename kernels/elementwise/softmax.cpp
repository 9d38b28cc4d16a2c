#include "kernels/elementwise/softmax.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {

void RunSoftmax(const SoftmaxCall& call, const void* x, void* y, void* scratch, const Parallel& parallel) {
  const SoftmaxNarrowTask& task = call.task;
  if (call.rounding == Rounding::kTflite) {
    SoftmaxFixed(call.fixed, static_cast<const int8_t*>(x), static_cast<int8_t*>(y), parallel);
  } else if (call.dtype != DType::kFloat32) {
    SoftmaxNarrow(task, call.dtype == DType::kFloat16, x, y, scratch, parallel);
  } else {
    SoftmaxF32(VariantOf(SoftmaxF32Kernels(), task.softmax), task.shape, task.log,
               static_cast<const float*>(x), static_cast<float*>(y), parallel);
  }
}

}  // namespace micrort
