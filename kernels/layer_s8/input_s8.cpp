#include "kernels/layer_s8/input_s8.h"

#include "kernels/base/part.h"
#include "kernels/gemm/widen_int4.h"
#include "kernels/layer_s8/dynamic_input_s8.h"

namespace micrort {

MICRORT_PART(DynamicInputScratchBytes);
MICRORT_PART(PlanDynamicInput);
MICRORT_PART(MakeDynamicInput);
MICRORT_PART(WidenInt4);

bool HasInputS8(const LayerTypes& types) {
  return !types.dynamic ||
         (MICRORT_HAS_PART(MakeDynamicInput) &&
          (types.weights != DType::kInt4 || (kHasInt4Layers && MICRORT_HAS_PART(WidenInt4))));
}

uint64_t InputS8ScratchBytes(const Conv2DParams& p) {
  return p.types.dynamic ? DynamicInputScratchBytes(p) : 0;
}

void PlanInputS8(const Conv2DParams& p, CpuFeatures features, ConvPlan* plan) {
  if (p.types.dynamic) PlanDynamicInput(features, plan);
}

InputS8 MakeInputS8(const Conv2DParams& p, const ConvPlan& plan, const void* x, void* scratch,
                    const Parallel& parallel) {
  if (p.types.dynamic) return MakeDynamicInput(p, plan, x, scratch, parallel);
  return {static_cast<const int8_t*>(x), nullptr, nullptr};
}

}  // namespace micrort
