#include "runtime/ops/conv_layer.h"

#include "kernels/base/checked_math.h"
#include "kernels/conv2d/algorithm_variants.h"
#include "runtime/ops/external_candidate.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {

namespace {

// Above this, sizes derived from a layer could overflow 64 bits; no memory holds such tensors anyway.
constexpr int64_t kMaxElements = int64_t{1} << 40;
// Plans count blocks of rows in 32 bits.
constexpr int64_t kMaxRows = int64_t{1} << 32;

// Weights that are packed in each run make it another layer, and so does a lack of candidates.
uint64_t LayerKey(const PrepareContext& context, int64_t matrices, const ConvLayer& layer) {
  const uint64_t of_parameters = Conv2DLayerKey(layer.params);
  const uint64_t key = MissesExternal(context, matrices, layer) ? of_parameters ^ 4 : of_parameters;
  return layer.constant_weights ? key : key ^ 2;
}

Status CheckWork(const Conv2DParams& p, int64_t* multiply_adds) {
  int64_t weights = 0;
  const bool fits = CheckedMul(p.depth(), p.out_c, &weights) && weights <= kMaxElements &&
                    p.rows() <= kMaxRows && p.taps() <= kMaxElements &&
                    CheckedMul(p.rows(), weights, multiply_adds);
  if (!fits) return MICRORT_ERROR(kUnsupported, "the layer is too large");
  return Status();
}

// Packing in each run of a byte: about as long as reading and writing it.
constexpr double kPackCost = 8;

// The algorithms that can compute a layer within the scratch at hand.
class Candidates {
 public:
  // `external` is offered too, behind all of them; null: there is none.
  Candidates(const ConvLayer& layer, const PrepareTarget& target, const Conv2DAlgorithm* external)
      : all_(Conv2DCandidatesFor(layer.params, layer.target)) {
    for (size_t i = 0; i < all_.count; ++i) Add(layer, *all_.rows[i].algorithm, all_.rows[i].cost);
    if (target.only_layout != nullptr) KeepVariant(target.only_variant);
    // Where none is within the limit, the one that needs least.
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < all_.count; ++i) least = scratch_[i] < least ? scratch_[i] : least;
    const uint64_t limit = least > target.scratch_limit ? least : target.scratch_limit;
    for (size_t i = 0; i < all_.count; ++i) {
      if (scratch_[i] > limit) continue;
      all_.rows[count_].algorithm = all_.rows[i].algorithm;
      infos_[count_++] = infos_[i];
    }
    for (size_t i = 1; i < count_; ++i) cheapest_ = infos_[i].cost < infos_[cheapest_].cost ? i : cheapest_;
    if (external != nullptr && count_ != 0 && count_ < kMaxConv2DAlgorithms) AddExternal(layer, *external);
  }

  Span<const AlgorithmInfo> infos() const { return {infos_, count_}; }
  size_t cheapest() const { return cheapest_; }
  const Conv2DAlgorithm* algorithm(size_t i) const { return all_.rows[i].algorithm; }

 private:
  void KeepVariant(AlgorithmVariant variant) {
    size_t kept = 0;
    for (size_t i = 0; i < all_.count; ++i) {
      if (infos_[i].variant != variant) continue;
      all_.rows[kept] = all_.rows[i];
      infos_[kept] = infos_[i];
      scratch_[kept++] = scratch_[i];
    }
    all_.count = kept;
  }

  void Add(const ConvLayer& layer, const Conv2DAlgorithm& algorithm, double cost) {
    const uint64_t packed = algorithm.packed_bytes(layer.params, layer.target);
    const size_t at = added_++;
    const ConvPlan plan = algorithm.plan(layer.params, layer.target);
    scratch_[at] = algorithm.scratch_bytes(layer.params, layer.target, plan) +
                   (layer.constant_weights ? 0 : CeilDiv<uint64_t>(packed, kAlignment) * kAlignment);
    infos_[at].variant = VariantOf(algorithm, plan.kernel);
    infos_[at].name = algorithm.name(layer.params, layer.target);
    infos_[at].cost = cost + (layer.constant_weights ? 0.0 : kPackCost * static_cast<double>(packed));
    infos_[at].scratch_bytes = static_cast<size_t>(scratch_[at]);
    infos_[at].packed_bytes = static_cast<size_t>(packed);
  }

  void AddExternal(const ConvLayer& layer, const Conv2DAlgorithm& algorithm) {
    double most = 0;
    for (const AlgorithmInfo& info : infos()) most = info.cost > most ? info.cost : most;
    added_ = count_++;
    all_.rows[added_].algorithm = &algorithm;
    Add(layer, algorithm, most + algorithm.cost(layer.params, layer.target));
  }

  Conv2DCandidates all_;
  uint64_t scratch_[kMaxConv2DAlgorithms];
  AlgorithmInfo infos_[kMaxConv2DAlgorithms];
  size_t added_ = 0, count_ = 0, cheapest_ = 0;
};

// Decided elsewhere, by a choice among the candidates for the same target.
Status TakeDecided(const PrepareTarget& target, ConvLayer* layer) {
  layer->algorithm = FindAlgorithm(static_cast<Conv2DAlgorithmId>(target.algorithm));
  if (layer->algorithm != nullptr && CanRun(*layer->algorithm, layer->params, layer->target)) return Status();
  return MICRORT_ERROR(kUnsupported, "algorithm %d cannot compute the layer", target.algorithm);
}

// Its lists are large: not in the frame of those for whom the file decided.
[[gnu::noinline]] Status ChooseCandidate(const PrepareTarget& target, const PrepareContext& context,
                                         int64_t matrices, ConvLayer* layer) {
  const Candidates candidates(*layer, target, ExternalCandidate(context, matrices, *layer));
  if (candidates.infos().empty() && target.only_layout != nullptr) {
    return MICRORT_ERROR(
        kUnsupported,
        "weights are stored as '%.60s' only, which cannot compute the layer here; convert the model again",
        target.only_layout);
  }
  if (candidates.infos().empty()) {
    const LayerTypes& types = layer->params.types;
    return MICRORT_ERROR(kUnsupported, "no kernel for %s input, %s weights, %s output with activation %d",
                         Name(types.x), Name(types.weights), Name(types.y),
                         static_cast<int>(types.activation.kind));
  }
  size_t choice = candidates.cheapest();
  if (target.chooser != nullptr) {
    const LayerAlgorithms question = {LayerKey(context, matrices, *layer), target.features, target.workers,
                                      candidates.infos(), candidates.cheapest()};
    MICRORT_RETURN_IF_ERROR(target.chooser->Choose(question, &choice));
    if (choice >= candidates.infos().size()) {
      return MICRORT_ERROR(kInvalidArgument, "chose algorithm %zu of %zu", choice, candidates.infos().size());
    }
  }
  layer->algorithm = candidates.algorithm(choice);
  return Status();
}

Status Choose(const PrepareContext& context, int64_t matrices, ConvLayer* layer) {
  const PrepareTarget& target = context.target();
  return target.algorithm != 0 ? TakeDecided(target, layer)
                               : ChooseCandidate(target, context, matrices, layer);
}

}  // namespace

Status PlanConvLayer(PrepareContext& context, int64_t matrices, ConvLayer* layer) {
  const Conv2DParams& p = layer->params;
  int64_t multiply_adds = 0;
  MICRORT_RETURN_IF_ERROR(CheckWork(p, &multiply_adds));
  layer->target = {context.features(), context.workers()};
  // Weights are packed for the algorithm planned with; whether one is applicable does not depend on rows.
  layer->constant_weights = HasConstantWeights(context);
  const bool keep = context.stage() == PrepareStage::kRun && layer->algorithm->applicable(p);
  if (!keep) MICRORT_RETURN_IF_ERROR(Choose(context, matrices, layer));
  MICRORT_RETURN_IF_ERROR(
      CheckedSize(layer->algorithm->packed_bytes(p, layer->target), "packed weights", &layer->packed_bytes));
  layer->packed_bytes = AlignUp(layer->packed_bytes, kAlignment);
  layer->plan = layer->algorithm->plan(p, layer->target);
  size_t scratch = 0;
  MICRORT_RETURN_IF_ERROR(
      CheckedSize(layer->algorithm->scratch_bytes(p, layer->target, layer->plan), "scratch", &scratch));
  if (layer->constant_weights) {
    size_t all = 0;
    if (!CheckedMul(layer->packed_bytes, static_cast<size_t>(matrices), &all)) {
      return MICRORT_ERROR(kOutOfMemory, "packed weights exceed the address space");
    }
    context.RequestPacked(0, all, VariantOf(*layer->algorithm, layer->plan.kernel),
                          layer->algorithm->name(p, layer->target), kLayerWeights);
  } else {
    scratch += layer->packed_bytes;
  }
  context.RequestScratch(scratch);
  context.SetAlgorithm(layer->algorithm->name(p, layer->target));
  context.SetLayer(LayerKey(context, matrices, *layer), static_cast<uint8_t>(IdOf(*layer->algorithm)));
  StateExternal(*layer, &context);
  context.SetMultiplyAdds(multiply_adds);
  context.SetCost(layer->algorithm->cost(p, layer->target));
  return Status();
}

}  // namespace micrort
