#include "runtime/interpreter/prepare_nodes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

#include "kernels/attention/cache_rows.h"
#include "kernels/base/checked_math.h"
#include "runtime/interpreter/node_work.h"
#include "runtime/interpreter/packed_weights.h"
#include "runtime/interpreter/subgraph.h"
#include "runtime/model/packed_in_file.h"
#include "runtime/ops/check_int16.h"
#include "runtime/program/decisions.h"

namespace micrort {

namespace {

// Computed while planning are shapes, indices and the like; never activations or weights.
constexpr size_t kMaxKnownElements = 4096;
// What takes longer than this is left to the run.
constexpr uint64_t kMaxKnownWork = 10'000'000'000;

size_t ScratchLimit(const schema::Operator& op) {
  const int64_t bytes = op.max_scratch();
  return bytes < 0 || static_cast<uint64_t>(bytes) > SIZE_MAX ? SIZE_MAX : static_cast<size_t>(bytes);
}

// An operator must give each output a shape without dynamic dimensions.
Status CheckOutputs(Span<Tensor* const> outputs) {
  for (const Tensor* tensor : outputs) {
    for (int d = 0; d < tensor->shape.rank; ++d) {
      if (tensor->shape[d] >= 0) continue;
      return MICRORT_ERROR(kInternal, "output '%.100s' was left with shape %s", tensor->name,
                           ShapeString(tensor->shape).c_str());
    }
  }
  return Status();
}

bool AreSettled(Span<Tensor* const> tensors) {
  for (const Tensor* tensor : tensors) {
    if (tensor != nullptr && !tensor->is_settled()) return false;
  }
  return true;
}

bool AnyPackedOnly(Span<Tensor* const> tensors) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [](const Tensor* tensor) { return tensor != nullptr && tensor->packed_only; });
}

// Sums of these and rounding up must not overflow.
Status CheckMemory(const PrepareResult& prepared) {
  constexpr size_t kMax = PTRDIFF_MAX / 2;
  size_t most = prepared.scratch_bytes;
  for (const PrepareResult::Packed& packed : prepared.packed) most = std::max(most, packed.bytes);
  if (most <= kMax) return Status();
  return MICRORT_ERROR(kInvalidModel, "needs %zu bytes of scratch or packed weights", most);
}

void SetBodyTargets(const Node& node, const PrepareTarget& target) {
  for (const Body* body : node.Bodies()) SubgraphOf(*body).SetTarget(target);
}

Status KeepBounds(Node& node) {
  MICRORT_RETURN_IF_ERROR(node.bounds.Allocate(node.outputs.size()));
  for (size_t i = 0; i < node.outputs.size(); ++i) node.bounds[i] = node.outputs[i]->shape;
  return Status();
}

bool AnyReadable(Span<Tensor* const> tensors) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [](const Tensor* tensor) { return tensor->is_readable(); });
}

// The extents of an output. For a cache, a run decides how many rows are taken, and no more.
Extents PlannedExtents(const Node& node, const Tensor& tensor) {
  constexpr uint32_t kRows = 1u << 1;
  const uint32_t decided = kHasNarrowCaches && node.prepared.in_input ? kRows : kAllDims;
  return Extents::Bounded(node.data_dependent && !node.keeps_sizes ? decided : 0).Within(tensor.shape.rank);
}

// Whether sizes of outputs that are fixed now are those of every run, whatever data decide: they do not
// follow from sizes that a run decides, nor from elements.
bool KeepsSizes(const Node& node) {
  const auto is_fixed = [](const Tensor* input) { return input == nullptr || input->extents.all_fixed(); };
  return node.prepared.keeps_sizes || (node.body_count == 0 && !node.prepared.reads_contents &&
                                       std::all_of(node.inputs.begin(), node.inputs.end(), is_fixed));
}

// The outputs of the node, one after another.
void PointToKnown(Node& node, AlignedMemory memory) {
  node.known_outputs = std::move(memory);
  auto* data = static_cast<uint8_t*>(node.known_outputs.data());
  for (Tensor* output : node.outputs) {
    output->data = output->bytes() == 0 ? EmptyTensorData() : data;
    data += AlignUp(output->bytes(), kAlignment);
  }
}

// Its own or of a node in its bodies.
bool NeedsPackedWeights(const Node& node) {
  for (const PrepareResult::Packed& packed : node.prepared.packed) {
    if (packed.bytes != 0) return true;
  }
  for (const Body* body : node.Bodies()) {
    for (const Node& inner : SubgraphOf(*body).graph().nodes) {
      if (NeedsPackedWeights(inner)) return true;
    }
  }
  return false;
}

}  // namespace

Status NodePreparation::Run() { return RunNodes(false); }

Status NodePreparation::RunChanged() { return RunNodes(graph_.is_prepared && graph_.decisions == nullptr); }

Status NodePreparation::RunNodes(bool may_keep) {
  graph_.is_prepared = false;
  graph_.preparations = 0;
  for (Node& node : graph_.nodes) {
    node.kept = may_keep && MayKeep(node);
    if (node.kept) {
      KeepOutputs(node);
      continue;
    }
    const bool was_known = AnyReadable(node.outputs), was_dependent = node.data_dependent;
    AlignedMemory known = std::move(node.known_outputs);
    ++graph_.preparations;
    if (Status s = PrepareNode(node); !s.ok()) return node.Explain(s);
    NoteChanges(node, was_dependent, was_known, std::move(known));
  }
  for (size_t t = 0; t < graph_.tensors.size(); ++t) {
    if (graph_.tensors[t].constant) continue;
    graph_.planned_bytes[t] = graph_.tensors[t].bytes();
    graph_.planned_shapes[t] = graph_.tensors[t].shape;
  }
  graph_.is_prepared = graph_.decisions == nullptr;
  return Status();
}

// Graphs inside, and examples of values, are made anew.
bool NodePreparation::MayKeep(const Node& node) const {
  if (node.body_count != 0 || (node.data_dependent && AnyReadable(node.outputs))) return false;
  return std::none_of(node.inputs.begin(), node.inputs.end(), [this](const Tensor* input) {
    return input != nullptr && graph_.changed[graph_.IndexOf(input)];
  });
}

// Sizes that runs decide are their bounds again.
void NodePreparation::KeepOutputs(const Node& node) {
  for (Tensor* output : node.outputs) {
    const size_t t = graph_.IndexOf(output);
    graph_.changed[t] = false;
    output->shape = graph_.planned_shapes[t];
    output->extents = PlannedExtents(node, *output);
  }
}

// `known` are the outputs that were computed the last time. Where these are the same, they stay.
void NodePreparation::NoteChanges(Node& node, bool was_dependent, bool was_known, AlignedMemory known) {
  bool same = !was_dependent && !node.data_dependent && was_known == node.skipped;
  for (const Tensor* output : node.outputs) {
    const size_t t = graph_.IndexOf(output);
    same = same && output->shape == graph_.planned_shapes[t];
    graph_.changed[t] = was_known || was_dependent != node.data_dependent || output->is_readable() ||
                        output->shape != graph_.planned_shapes[t];
  }
  if (!same || !node.skipped) return;
  const auto* former = static_cast<const uint8_t*>(known.data());
  for (const Tensor* output : node.outputs) {
    if (output->bytes() != 0 && std::memcmp(former, output->data, output->bytes()) != 0) return;
    former += AlignUp(output->bytes(), kAlignment);
  }
  for (const Tensor* output : node.outputs) graph_.changed[graph_.IndexOf(output)] = false;
  PointToKnown(node, std::move(known));
}

Status NodePreparation::PrepareNode(Node& node) {
  MICRORT_RETURN_IF_ERROR(Spend(target_.control, kOperatorWork));
  for (Tensor* output : node.outputs) {
    output->contents = Contents::kUnknown;
    output->data = nullptr;
  }
  MICRORT_RETURN_IF_ERROR(PrepareWithinLimit(node));
  MICRORT_RETURN_IF_ERROR(CheckOutputs(node.outputs));
  MICRORT_RETURN_IF_ERROR(CheckMemory(node.prepared));
  MICRORT_RETURN_IF_ERROR(UsePackedInFile(*graph_.model, node));
  const bool settled = AreSettled(node.inputs);
  const bool fixed = HaveFixedExtents(node.outputs);
  // An example of an input tells nothing of the size that data decide.
  const bool computed = MayComputeNow(node) && (settled || fixed);
  if (computed) MICRORT_RETURN_IF_ERROR(ComputeNow(node));
  // What a body could not read, its own nodes await.
  const bool awaits_data = node.prepared.awaits_data && node.body_count == 0;
  node.data_dependent = !settled || (!fixed && !computed) || awaits_data;
  node.keeps_sizes = fixed && KeepsSizes(node);
  node.skipped = computed && settled;
  if (node.data_dependent)
    std::fill(std::begin(node.prepared.in_place), std::end(node.prepared.in_place), int8_t{-1});
  for (const int32_t output : Ints(node.source->outputs())) {
    graph_.in_arena[static_cast<size_t>(output)] = !computed && !node.prepared.in_input;
    Tensor& tensor = graph_.tensors[static_cast<size_t>(output)];
    tensor.extents = PlannedExtents(node, tensor);
    if (computed) tensor.contents = settled ? Contents::kFixed : Contents::kExample;
  }
  node.own_work = OwnWorkOf(node);
  node.work = WorkOf(node);
  return node.data_dependent && node.body_count != 0 ? KeepBounds(node) : Status();
}

Status NodePreparation::PrepareFor(Node& node, const PrepareTarget& target) {
  MICRORT_RETURN_IF_ERROR(CheckInt16(*node.source, node.inputs, node.outputs));
  node.prepared = PrepareResult();
  PrepareContext context(node.inputs, node.outputs, node.state, target, PrepareStage::kPlan, &node.prepared,
                         node.BodyPlans());
  return node.registration->prepare(context);
}

Status NodePreparation::PrepareForThisCpu(Node& node) {
  PrepareTarget target = target_;
  target.features &= DetectCpuFeatures();
  target.bounds_only = false;
  const bool is_planned = !target_.bounds_only || node.body_count == 0;
  if (target.features == target_.features && is_planned) return Status();
  SetBodyTargets(node, target);
  return PrepareFor(node, target);
}

Status NodePreparation::PrepareWithinLimit(Node& node) {
  PrepareTarget target = target_;
  target.scratch_limit = ScratchLimit(*node.source);
#if defined(MICRORT_XNNPACK)
  // What bodies are lent need not lie in the arena.
  target.external = target.external && graph_.source == graph_.model->subgraphs()->Get(0);
#endif
  if (graph_.decisions != nullptr) {
    target.algorithm = DecidedAlgorithm(*graph_.decisions, static_cast<size_t>(&node - graph_.nodes.data()));
  }
  if (AnyPackedOnly(node.inputs)) {
    target.only_layout = PackedLayout(*node.source);
    target.only_variant = PackedVariant(*node.source);
  }
  MICRORT_RETURN_IF_ERROR(PrepareFor(node, target));
  if (node.prepared.layer != 0 && target.algorithm == 0) ++graph_.searches;
  node.sequential = node.prepared.scratch_bytes > target.scratch_limit && target.workers > 1;
  if (node.sequential) {
    target.workers = 1;
    target.chooser = nullptr;  // it was asked for all threads
    SetBodyTargets(node, target);
    MICRORT_RETURN_IF_ERROR(PrepareFor(node, target));
  }
  if (node.prepared.scratch_bytes <= target.scratch_limit) return Status();
  return MICRORT_ERROR(kOutOfMemory,
                       "needs %zu bytes of scratch with %s, the file allows %zu (mnnconvert --max-arena)",
                       node.prepared.scratch_bytes, IsaName(target.features), target.scratch_limit);
}

bool NodePreparation::MayComputeNow(const Node& node) const {
  if (!node.registration->shape_only) {
    for (const Tensor* input : node.inputs) {
      if (input != nullptr && (!input->is_readable() || input->elements() > kMaxKnownElements)) return false;
    }
  }
  for (const Tensor* output : node.outputs) {
    if (output->elements() > kMaxKnownElements) return false;
  }
  return !node.prepared.takes_long && WorkOf(node) <= kMaxKnownWork && !NeedsPackedWeights(node);
}

Status NodePreparation::ComputeNow(Node& node) {
  MICRORT_RETURN_IF_ERROR(Spend(target_.control, OwnWorkOf(node)));
  size_t bytes = 0;
  for (const Tensor* output : node.outputs) bytes += AlignUp(output->bytes(), kAlignment);
  AlignedMemory memory;
  MICRORT_RETURN_IF_ERROR(memory.Allocate(bytes));
  PointToKnown(node, std::move(memory));
  MICRORT_RETURN_IF_ERROR(PrepareForThisCpu(node));
  AlignedMemory scratch;
  MICRORT_RETURN_IF_ERROR(scratch.Allocate(node.prepared.scratch_bytes));
  node.scratch = scratch.data();
  BindBodies(node);
  const Status status = node.registration->run(node.MakeRunContext(Sequential(), target_.control));
  node.scratch = nullptr;
  return status;
}

Status NodePreparation::PrepareAgain(Node& node) {
  if (node.body_count != 0) {  // its bodies' nodes are prepared again
    MICRORT_RETURN_IF_ERROR(Spend(target_.control, OwnWorkOf(node)));
    for (size_t i = 0; i < node.outputs.size(); ++i) node.outputs[i]->shape = node.bounds[i];
    return Status();
  }
  PrepareResult now;
  PrepareContext context(node.inputs, node.outputs, node.state, target_, PrepareStage::kRun, &now);
  MICRORT_RETURN_IF_ERROR(node.registration->prepare(context));
  MICRORT_RETURN_IF_ERROR(CheckOutputs(node.outputs));
  MICRORT_RETURN_IF_ERROR(CheckPlannedMemory(node, now));
  return Spend(target_.control, WorkOfCall(*node.registration, node.inputs, node.outputs, now));
}

Status NodePreparation::CheckPlannedMemory(const Node& node, const PrepareResult& now) const {
  for (const Tensor* output : node.outputs) {
    const size_t planned = graph_.planned_bytes[graph_.IndexOf(output)];
    if (output->bytes() <= planned) continue;
    return MICRORT_ERROR(kOutOfRange, "output '%.100s' came to %s, %zu bytes; %zu are planned", output->name,
                         ShapeString(output->shape).c_str(), output->bytes(), planned);
  }
  if (now.scratch_bytes > node.prepared.scratch_bytes) {
    return MICRORT_ERROR(kOutOfRange, "needs %zu bytes of scratch in this run, %zu are planned",
                         now.scratch_bytes, node.prepared.scratch_bytes);
  }
  for (int slot = 0; slot < kMaxPacked; ++slot) {
    const PrepareResult::Packed& planned = node.prepared.packed[slot];
    if (now.packed[slot].bytes == planned.bytes && now.packed[slot].layout == planned.layout) continue;
    return MICRORT_ERROR(kInternal, "needs other packed weights in this run than planned");
  }
  return Status();
}

}  // namespace micrort
