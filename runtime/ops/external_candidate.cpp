#include "runtime/ops/external_candidate.h"

#include "kernels/base/part.h"
#include "kernels/conv2d/algorithm_ids.h"
#include "kernels/conv_call/external_library.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {

MICRORT_PART(kExternalLibrary);

namespace {

// Whatever the node is beside its parameters and weights.
const Conv2DAlgorithm* FindInLibrary(const PrepareContext& context, const ConvLayer& layer) {
  const Tensor& w = context.input(kLayerWeights);
  if (!MICRORT_HAS_PART(kExternalLibrary) || !layer.constant_weights || w.packed_only) return nullptr;
  ConvWeights weights = {};
  weights.data = w.data;
  weights.scales = w.quantization.scales;
  weights.scale_stride = ScaleStride(w.quantization, layer.params.out_c);
  return kExternalLibrary.find(layer.params, weights);
}

// Layers whose sizes no run decides, with their input in the arena: the library may read beyond it.
bool FitsNode(const PrepareContext& context, int64_t matrices) {
  const Tensor& x = context.input(kLayerX);
  return matrices == 1 && !context.has_input(kLayerResidual) && !x.constant && !x.is_readable() &&
         x.is_settled();
}

}  // namespace

const Conv2DAlgorithm* ExternalCandidate(const PrepareContext& context, int64_t matrices,
                                         const ConvLayer& layer) {
  const PrepareTarget& target = context.target();
  if (!target.external || target.chooser == nullptr || context.stage() != PrepareStage::kPlan) return nullptr;
  return FitsNode(context, matrices) ? FindInLibrary(context, layer) : nullptr;
}

bool MissesExternal(const PrepareContext& context, int64_t matrices, const ConvLayer& layer) {
  return !FitsNode(context, matrices) && FindInLibrary(context, layer) != nullptr;
}

void StateExternal(const ConvLayer& layer, PrepareContext* context) {
  const bool is_ours = IdOf(*layer.algorithm) != Conv2DAlgorithmId::kUndecided;
  context->SetExternal(is_ours ? nullptr : &layer);
}

ConvTensors ExternalTensors(Span<Tensor* const> inputs, Span<Tensor* const> outputs) {
  ConvTensors tensors = {};
  tensors.x = inputs[kLayerX]->data;
  tensors.bias = FloatBias(inputs);
  tensors.y = outputs[0]->data;
  return tensors;
}

}  // namespace micrort
