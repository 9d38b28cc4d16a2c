// Concats of channels whose inputs come from convolutions: these write into the output at once.

#include <algorithm>

#include "runtime/interpreter/subgraph.h"
#include "runtime/ops/conv_layer.h"
#include "runtime/ops/layer_operands.h"
#include "runtime/ops/work_control.h"
#include "runtime/plan/lower_bound.h"

namespace micrort {

bool Subgraph::ConcatsChannels(const Node& node) const {
  if (node.registration->code != static_cast<int>(schema::OpCode::Concat) || node.skipped || node.varies) {
    return false;
  }
  const Tensor& y = *node.outputs[0];
  const int axis = node.source->options_as_ConcatOptions()->axis();
  return y.dtype == DType::kFloat32 && y.bytes() != 0 && y.shape.rank == 4 && (axis == 3 || axis == -1) &&
         node.source->max_scratch() < 0;
}

// What a file that limits scratch (mnnconvert --max-arena) planned stays as it is.
bool Subgraph::MayBePart(const Node& concat, size_t i, size_t producer,
                         const FixedArray<uint32_t>& readers) const {
  const Node& node = nodes_[producer];
  const auto input = static_cast<size_t>(Ints(concat.source->inputs())[i]);
  const bool in_chain = std::any_of(chains_.begin(), chains_.end(),
                                    [producer](const FusedChain& chain) { return chain.Holds(producer); });
  if (node.registration->conv_layer == nullptr || node.skipped || node.varies || in_chain ||
      readers[input] != 1 || node.source->max_scratch() >= 0) {
    return false;
  }
  const bool has_residual = node.inputs.size() > kLayerResidual && node.inputs[kLayerResidual] != nullptr;
  return node.registration->conv_layer(node.state)->algorithm->strided_output && !has_residual;
}

size_t Subgraph::AddParts(size_t concat, const FixedArray<uint32_t>& readers,
                          const FixedArray<size_t>& producers, size_t first) {
  const Node& node = nodes_[concat];
  size_t end = first, offset = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const size_t producer = producers[static_cast<size_t>(Ints(node.source->inputs())[i])];
    if (producer == SIZE_MAX || !MayBePart(node, i, producer, readers)) return first;
    concat_parts_[end++] = {producer, concat, offset};
    offset += static_cast<size_t>(node.inputs[i]->shape[3]) * sizeof(float);
  }
  return end;
}

void Subgraph::SetJoined(Span<const ConcatPart> parts, bool joined) {
  Node& node = nodes_[parts[0].concat];
  node.joined = joined;
  joined ? ++joined_ : --joined_;
  for (const ConcatPart& part : parts) {
    const Node& producer = nodes_[part.producer];
    producer.registration->conv_layer(producer.state)->y_stride = joined ? node.outputs[0]->shape[3] : 0;
    in_arena_[static_cast<size_t>(Ints(producer.source->outputs())[0])] = !joined;
  }
}

Status Subgraph::BytesAlive(size_t* most) const {
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildItems(&items));
  constexpr uint64_t kItemWork = 1000;
  MICRORT_RETURN_IF_ERROR(micrort::Spend(target_.control, items.size() * kItemWork));
  return ComputeLowerBound(items, most);
}

// Who writes each tensor; SIZE_MAX: no node.
Status Subgraph::FindProducers(FixedArray<size_t>* producers) const {
  MICRORT_RETURN_IF_ERROR(producers->Allocate(tensors_.size()));
  std::fill(producers->begin(), producers->end(), SIZE_MAX);
  for (size_t o = 0; o < nodes_.size(); ++o) {
    for (const int32_t t : Ints(nodes_[o].source->outputs())) (*producers)[static_cast<size_t>(t)] = o;
  }
  return Status();
}

Status Subgraph::JoinConcats() {
  size_t inputs = 0;
  for (const Node& node : nodes_) inputs += ConcatsChannels(node) ? node.inputs.size() : 0;
  if (inputs == 0) return Status();
  FixedArray<uint32_t> readers;
  FixedArray<size_t> producers;
  MICRORT_RETURN_IF_ERROR(CountReaders(&readers));
  MICRORT_RETURN_IF_ERROR(FindProducers(&producers));
  MICRORT_RETURN_IF_ERROR(concat_parts_.Allocate(inputs));
  size_t most = 0, first = 0;
  MICRORT_RETURN_IF_ERROR(BytesAlive(&most));
  for (size_t o = 0, end = 0; o < nodes_.size(); ++o, first = end) {
    end = ConcatsChannels(nodes_[o]) ? AddParts(o, readers, producers, first) : first;
    if (end == first) continue;
    const Span<const ConcatPart> parts(concat_parts_.data() + first, end - first);
    SetJoined(parts, true);
    size_t now = 0;
    MICRORT_RETURN_IF_ERROR(BytesAlive(&now));
    if (now > most) SetJoined(parts, false);
    most = std::min(most, now);
  }
  return Status();
}

}  // namespace micrort
