#pragma once
// Softmax and LogSoftmax of any type, with everything decided.

#include "kernels/base/dtype.h"
#include "kernels/base/rounding.h"
#include "kernels/elementwise/softmax_f32.h"
#include "kernels/elementwise/softmax_fixed.h"
#include "kernels/elementwise/softmax_narrow.h"
#include "kernels/elementwise/softmax_s16.h"

namespace micrort {

struct SoftmaxCall {
  DType dtype;             // float32, float16, int8 or int16
  SoftmaxNarrowTask task;  // the quantizations only of int8
  Rounding rounding;       // other than exact only of int8, and always of int16
  SoftmaxFixedTask fixed;  // of int8, unless rounding is exact
  SoftmaxS16Task s16;
};

// Chooses the kernels for dtype and rounding, which are a part each (kernels/base/part.h); false where the
// program has none.
bool PlanSoftmax(CpuFeatures features, SoftmaxCall* call);
// The name of the kernels of a planned call, in static storage.
const char* SoftmaxName(const SoftmaxCall& call);

// `scratch` as SoftmaxNarrowScratchBytes says, for halves and int8 rounded exactly; y may be x.
void RunSoftmax(const SoftmaxCall& call, const void* x, void* y, void* scratch, const Parallel& parallel);

}  // namespace micrort
