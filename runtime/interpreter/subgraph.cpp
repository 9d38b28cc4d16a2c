#include "runtime/interpreter/subgraph.h"

#include <algorithm>

#include "kernels/base/checked_math.h"

namespace micrort {

namespace {

constexpr size_t kStateAlignment = alignof(max_align_t);

// The file lies in read-only memory; nothing writes through the data of a constant.
void* ConstantData(const schema::Model& model, uint32_t buffer) {
  const auto* data = model.buffers()->Get(buffer)->data();
  return data == nullptr ? nullptr : const_cast<uint8_t*>(data->data());
}

}  // namespace

Status InitSubgraphs(const schema::Model& model, const OpResolver& resolver,
                     FixedArray<Subgraph>* subgraphs) {
  MICRORT_RETURN_IF_ERROR(subgraphs->Allocate(model.subgraphs()->size()));
  for (uint32_t i = 0; i < subgraphs->size(); ++i) {
    MICRORT_RETURN_IF_ERROR((*subgraphs)[i].Init(model, *model.subgraphs()->Get(i), resolver, *subgraphs));
  }
  return Status();
}

Status Subgraph::Init(const schema::Model& model, const schema::Subgraph& source, const OpResolver& resolver,
                      FixedArray<Subgraph>& all) {
  model_ = &model;
  source_ = &source;
  MICRORT_RETURN_IF_ERROR(InitTensors(model));
  MICRORT_RETURN_IF_ERROR(InitNodes(resolver, all));
  MICRORT_RETURN_IF_ERROR(LinkNodes());
  for (Node& node : nodes_) {
    if (Status s = node.registration->parse(*node.source, node.state); !s.ok()) return node.Explain(s);
  }
  return Status();
}

Status Subgraph::InitTensors(const schema::Model& model) {
  MICRORT_RETURN_IF_ERROR(tensors_.Allocate(Count(source_->tensors())));
  MICRORT_RETURN_IF_ERROR(declared_.Allocate(tensors_.size()));
  MICRORT_RETURN_IF_ERROR(in_arena_.Allocate(tensors_.size()));
  MICRORT_RETURN_IF_ERROR(planned_bytes_.Allocate(tensors_.size()));
  for (uint32_t i = 0; i < tensors_.size(); ++i) {
    const schema::Tensor& source = *source_->tensors()->Get(i);
    declared_[i] = ShapeOf(source);
    Tensor& tensor = tensors_[i];
    tensor.name = Text(source.name());
    tensor.dtype = TypeOf(source);
    tensor.shape = declared_[i];
    tensor.declared = &declared_[i];
    tensor.quantization = QuantizationOf(source);
    tensor.constant = source.buffer() != 0;
    tensor.packed_only = source.packed_only();
    tensor.known = tensor.constant && !tensor.packed_only;
    if (tensor.known) tensor.data = ConstantData(model, source.buffer());
    if (tensor.known && tensor.data == nullptr) tensor.data = EmptyTensorData();
  }
  return Status();
}

Status Subgraph::InitNodes(const OpResolver& resolver, FixedArray<Subgraph>& all) {
  MICRORT_RETURN_IF_ERROR(nodes_.Allocate(Count(source_->operators())));
  size_t state_bytes = 0;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].source = source_->operators()->Get(i);
    nodes_[i].registration = resolver.Find(static_cast<int>(nodes_[i].source->code()));
    state_bytes += AlignUp(nodes_[i].registration->state_bytes, kStateAlignment);
    uint32_t bodies[kMaxBodies] = {};
    nodes_[i].body_count = static_cast<size_t>(BodiesOf(*nodes_[i].source, bodies));
    for (size_t b = 0; b < nodes_[i].body_count; ++b) {
      nodes_[i].body_plans[b] = &all[bodies[b]];
      nodes_[i].bodies[b] = &all[bodies[b]];
    }
  }
  MICRORT_RETURN_IF_ERROR(states_.AllocateZeroed(state_bytes));
  auto* state = static_cast<uint8_t*>(states_.data());
  for (Node& node : nodes_) {
    node.state = state;
    state += AlignUp(node.registration->state_bytes, kStateAlignment);
  }
  return Status();
}

Status Subgraph::LinkNodes() {
  size_t links = 0;
  for (const Node& node : nodes_) links += Count(node.source->inputs()) + Count(node.source->outputs());
  MICRORT_RETURN_IF_ERROR(links_.Allocate(links));
  Tensor** next = links_.data();
  const auto link = [&](Span<const int32_t> indices) {
    Tensor** const first = next;
    for (const int32_t i : indices) *next++ = i < 0 ? nullptr : &tensors_[static_cast<size_t>(i)];
    return Span<Tensor* const>(first, indices.size());
  };
  for (Node& node : nodes_) {
    node.inputs = link(Ints(node.source->inputs()));
    node.outputs = link(Ints(node.source->outputs()));
    max_views_ = std::max(max_views_, node.inputs.size() + node.outputs.size());
  }
  return Status();
}

void* EmptyTensorData() {
  alignas(kAlignment) static uint8_t nothing[kAlignment];
  return nothing;
}

void Subgraph::Bind(void* arena) {
  auto* base = static_cast<uint8_t*>(arena);
  for (size_t i = 0; i < tensors_.size(); ++i) {
    if (!in_arena_[i]) continue;
    tensors_[i].data = tensors_[i].bytes() == 0 ? EmptyTensorData() : base + offsets_[i];
  }
  for (const ConcatPart& part : concat_parts_) {
    const Node& concat = nodes_[part.concat];
    if (!concat.joined) continue;
    nodes_[part.producer].outputs[0]->data = static_cast<uint8_t*>(concat.outputs[0]->data) + part.offset;
  }
  for (FusedChain& chain : chains_) chain.scratch = base + offsets_[tensors_.size() + chain.first];
  for (size_t i = 0; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    if (!node.skipped && node.prepared.scratch_bytes != 0)
      node.scratch = base + offsets_[tensors_.size() + i];
    if (!node.skipped) BindBodies(node);
  }
}

// Branches share one place: only one of them runs.
void Subgraph::BindBodies(const Node& node) {
  for (Body* body : Span<Body* const>(node.bodies, node.body_count)) {
    auto* graph = static_cast<Subgraph*>(body);
    if (!graph->offsets_.empty()) graph->Bind(node.scratch);
  }
}

}  // namespace micrort
