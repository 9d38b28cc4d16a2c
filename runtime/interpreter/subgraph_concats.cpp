// Concats of channels whose inputs are convolutions': these write into the output at once.

#include <algorithm>

#include "runtime/interpreter/subgraph.h"
#include "runtime/ops/conv_layer.h"
#include "runtime/ops/layer_operands.h"
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

void Subgraph::AddParts(size_t concat, const FixedArray<uint32_t>& readers, size_t* count) {
  const Node& node = nodes_[concat];
  size_t added = *count, offset = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Tensor* input = node.inputs[i];
    size_t producer = 0;
    while (producer < concat && (nodes_[producer].outputs.empty() || nodes_[producer].outputs[0] != input)) {
      ++producer;
    }
    if (producer == concat || !MayBePart(node, i, producer, readers)) return;
    concat_parts_[added++] = {producer, concat, offset};
    offset += static_cast<size_t>(input->shape[3]) * sizeof(float);
  }
  *count = added;
}

void Subgraph::SetJoined(size_t concat, bool joined) {
  Node& node = nodes_[concat];
  node.joined = joined;
  joined ? ++joined_ : --joined_;
  for (const ConcatPart& part : concat_parts_) {
    if (part.concat != concat) continue;
    const Node& producer = nodes_[part.producer];
    producer.registration->conv_layer(producer.state)->y_stride = joined ? node.outputs[0]->shape[3] : 0;
    in_arena_[static_cast<size_t>(Ints(producer.source->outputs())[0])] = !joined;
  }
}

Status Subgraph::BytesAlive(size_t* most) const {
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildItems(&items));
  return ComputeLowerBound(items, most);
}

Status Subgraph::JoinConcats() {
  size_t inputs = 0, parts = 0;
  for (const Node& node : nodes_) inputs += ConcatsChannels(node) ? node.inputs.size() : 0;
  if (inputs == 0) return Status();
  FixedArray<uint32_t> readers;
  MICRORT_RETURN_IF_ERROR(CountReaders(&readers));
  MICRORT_RETURN_IF_ERROR(concat_parts_.Allocate(inputs));
  size_t most = 0;
  MICRORT_RETURN_IF_ERROR(BytesAlive(&most));
  for (size_t o = 0; o < nodes_.size(); ++o) {
    if (!ConcatsChannels(nodes_[o])) continue;
    const size_t before = parts;
    AddParts(o, readers, &parts);
    if (parts == before) continue;
    SetJoined(o, true);
    size_t now = 0;
    MICRORT_RETURN_IF_ERROR(BytesAlive(&now));
    if (now > most) SetJoined(o, false);
    most = std::min(most, now);
  }
  return Status();
}

}  // namespace micrort
