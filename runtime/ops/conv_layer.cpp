#include "runtime/ops/conv_layer.h"

#include "kernels/base/checked_math.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {

namespace {

// Above this, sizes derived from a layer could overflow 64 bits; no memory holds such tensors anyway.
constexpr int64_t kMaxElements = int64_t{1} << 40;

Status CheckWork(const Conv2DParams& p, int64_t* multiply_adds) {
  int64_t weights = 0;
  const bool fits = CheckedMul(p.depth(), p.out_c, &weights) && weights <= kMaxElements &&
                    p.rows() <= kMaxElements && p.taps() <= kMaxElements &&
                    CheckedMul(p.rows(), weights, multiply_adds);
  if (!fits) return MICRORT_ERROR(kUnsupported, "the layer is too large");
  return Status();
}

}  // namespace

Status PlanConvLayer(PrepareContext& context, int64_t matrices, ConvLayer* layer) {
  const Conv2DParams& p = layer->params;
  int64_t multiply_adds = 0;
  MICRORT_RETURN_IF_ERROR(CheckWork(p, &multiply_adds));
  layer->target = {context.features(), context.workers()};
  // Weights are packed for the algorithm planned with; whether one is applicable does not depend on rows.
  const bool keep = context.stage() == PrepareStage::kRun && layer->algorithm->applicable(p);
  if (!keep) layer->algorithm = ChooseConv2D(p, layer->target);
  if (layer->algorithm == nullptr) {
    return MICRORT_ERROR(kUnsupported, "no kernel for %s input, %s weights, %s output with activation %d",
                         Name(p.types.x), Name(p.types.weights), Name(p.types.y),
                         static_cast<int>(p.types.activation.kind));
  }
  layer->constant_weights = HasConstantWeights(context);
  MICRORT_RETURN_IF_ERROR(
      CheckedSize(layer->algorithm->packed_bytes(p, layer->target), "packed weights", &layer->packed_bytes));
  layer->packed_bytes = AlignUp(layer->packed_bytes, kAlignment);
  size_t scratch = 0;
  MICRORT_RETURN_IF_ERROR(
      CheckedSize(layer->algorithm->scratch_bytes(p, layer->target), "scratch", &scratch));
  if (layer->constant_weights) {
    size_t all = 0;
    if (!CheckedMul(layer->packed_bytes, static_cast<size_t>(matrices), &all)) {
      return MICRORT_ERROR(kOutOfMemory, "packed weights exceed the address space");
    }
    context.RequestPacked(0, all, Conv2DPackedKey(*layer->algorithm, p, layer->target));
  } else {
    scratch += layer->packed_bytes;
  }
  context.RequestScratch(scratch);
  context.SetAlgorithm(layer->algorithm->name(p, layer->target));
  context.SetMultiplyAdds(multiply_adds);
  context.SetCost(layer->algorithm->cost(p, layer->target));
  return Status();
}

void PackConvLayer(const ConvLayer& layer, const ConvWeights& weights, int64_t i, void* packed) {
  auto* out = static_cast<uint8_t*>(packed) + static_cast<size_t>(i) * layer.packed_bytes;
  layer.algorithm->pack(layer.params, layer.target, weights, out);
}

void RunConvLayer(const ConvLayer& layer, const ConvWeights& weights, int64_t i, ConvTensors tensors,
                  const RunContext& context) {
  auto* scratch = static_cast<uint8_t*>(context.scratch);
  if (layer.constant_weights) {
    tensors.packed =
        static_cast<const uint8_t*>(context.packed[0]) + static_cast<size_t>(i) * layer.packed_bytes;
    tensors.scratch = scratch;
  } else {
    PackConvLayer(layer, weights, 0, scratch);
    tensors.packed = scratch;
    tensors.scratch = scratch + layer.packed_bytes;
  }
  layer.algorithm->run(layer.params, layer.target, tensors, *context.parallel);
}

}  // namespace micrort
