#pragma once
// Float activations quantized as the layer runs: a part (kernels/base/part.h).

#include "kernels/elementwise/convert_f32.h"
#include "kernels/layer_s8/input_s8.h"
#include "kernels/reduce/min_max_f32.h"

namespace micrort {

// int8 for numbers in the range, which is widened to hold 0; scale 1 where that is empty or not finite.
// `symmetric`: with zero point 0, so that the largest magnitude becomes 127.
QuantizationParams ChooseQuantization(MinMax range, bool symmetric = false);

uint64_t DynamicInputScratchBytes(const Conv2DParams& p);
void PlanDynamicInput(CpuFeatures features, ConvPlan* plan);
InputS8 MakeDynamicInput(const Conv2DParams& p, const ConvPlan& plan, const void* x, void* scratch,
                         const Parallel& parallel);

}  // namespace micrort
