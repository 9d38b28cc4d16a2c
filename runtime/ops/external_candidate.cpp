#include "runtime/ops/external_candidate.h"

#include "kernels/base/part.h"
#include "kernels/conv_call/external_library.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {

MICRORT_PART(kExternalLibrary);

// Layers whose sizes no run decides, with their input in the arena: the library may read beyond it.
const Conv2DAlgorithm* ExternalCandidate(const PrepareContext& context, int64_t matrices,
                                         const ConvLayer& layer) {
  const PrepareTarget& target = context.target();
  if (!target.external || target.chooser == nullptr || context.stage() != PrepareStage::kPlan) return nullptr;
  const Tensor &x = context.input(kLayerX), &w = context.input(kLayerWeights);
  if (matrices != 1 || !layer.constant_weights || w.packed_only || context.has_input(kLayerResidual) ||
      x.constant || x.is_readable() || !x.is_settled()) {
    return nullptr;
  }
  ConvWeights weights = {};
  weights.data = w.data;
  weights.scales = w.quantization.scales;
  weights.scale_stride = ScaleStride(w.quantization, layer.params.out_c);
  return kExternalLibrary.find(layer.params, weights);
}

}  // namespace micrort
