#include "kernels/elementwise/softmax.h"

#include "kernels/base/has_int16.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/part.h"

namespace micrort {

MICRORT_PART(SoftmaxF32);
MICRORT_PART(SoftmaxF32Kernels);
MICRORT_PART(SoftmaxNarrow);
MICRORT_PART(SoftmaxFixed);
MICRORT_PART(SoftmaxS16);
MICRORT_PART(SelectConvertF32);

bool PlanSoftmax(CpuFeatures features, SoftmaxCall* call) {
  if (kHasInt16 && call->dtype == DType::kInt16) return MICRORT_HAS_PART(SoftmaxS16);
  if (call->rounding == Rounding::kTflite) return MICRORT_HAS_PART(SoftmaxFixed);
  const bool is_narrow = call->dtype != DType::kFloat32;
  if (is_narrow ? !MICRORT_HAS_PART(SoftmaxNarrow) : !MICRORT_HAS_PART(SoftmaxF32)) return false;
  call->task.softmax = SoftmaxF32Kernels()[SelectVariant(SoftmaxF32Kernels(), features)].id;
  if (is_narrow) call->task.convert = SelectConvertF32(features).id;
  return true;
}

const char* SoftmaxName(const SoftmaxCall& call) {
  if (call.rounding == Rounding::kTflite) return "fixed point";
  return VariantOf(SoftmaxF32Kernels(), call.task.softmax).name;
}

void RunSoftmax(const SoftmaxCall& call, const void* x, void* y, void* scratch, const Parallel& parallel) {
  const SoftmaxNarrowTask& task = call.task;
  if (kHasInt16 && call.dtype == DType::kInt16) {
    SoftmaxS16(call.s16, static_cast<const int16_t*>(x), static_cast<int16_t*>(y), parallel);
  } else if (call.rounding == Rounding::kTflite) {
    SoftmaxFixed(call.fixed, static_cast<const int8_t*>(x), static_cast<int8_t*>(y), parallel);
  } else if (call.dtype != DType::kFloat32) {
    SoftmaxNarrow(task, call.dtype == DType::kFloat16, x, y, scratch, parallel);
  } else {
    SoftmaxF32(VariantOf(SoftmaxF32Kernels(), task.softmax), task.shape, task.log,
               static_cast<const float*>(x), static_cast<float*>(y), parallel);
  }
}

}  // namespace micrort
