#pragma once
// The int8 input of a layer: the tensor itself, or float activations quantized as the layer runs.

#include <cstddef>
#include <cstdint>

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

struct InputS8 {
  const int8_t* x;  // as the layer's input
  // One an item of the batch; null where the whole tensor has the zero point and scale of LayerTypes.
  const float* item_scales;
  const int32_t* item_zero_points;
};

// Whether the program has the parts (kernels/base/part.h) that such inputs, and their weights, need.
bool HasInputS8(const LayerTypes& types);
// 0 unless the layer is dynamic.
uint64_t InputS8ScratchBytes(const Conv2DParams& p);
// What MakeInputS8 reads of the plan.
void PlanInputS8(const Conv2DParams& p, CpuFeatures features, ConvPlan* plan);
InputS8 MakeInputS8(const Conv2DParams& p, const ConvPlan& plan, const void* x, void* scratch,
                    const Parallel& parallel);

}  // namespace micrort
