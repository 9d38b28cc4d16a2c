#include "kernels/layer_s8/float_output_s8.h"

#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/activate_f32.h"

namespace micrort {

void PlanFloatOutputS8(const LayerTypes& types, CpuFeatures features, ConvPlan* plan) {
  plan->requantize = DequantizeTileKernels()[SelectVariant(DequantizeTileKernels(), features)].id;
  plan->activation = SelectActivationF32(types.activation, features);
}

FloatOutputS8 MakeFloatOutputS8(const LayerTypes& types, const ConvPlan& plan) {
  const Activation& a = types.activation;
  const bool is_clamp = plan.activation == KernelId::none, is_prelu = a.kind == ActivationKind::kPRelu;
  return {VariantOf(DequantizeTileKernels(), plan.requantize).run,
          {static_cast<UnaryKind>(a.kind), a.a, a.b},
          is_clamp || is_prelu ? nullptr : VariantOf(UnaryF32Kernels(), plan.activation).run,
          is_prelu ? VariantOf(PReluF32Kernels(), plan.activation).run : nullptr};
}

}  // namespace micrort
