#include "runtime/interpreter/graph.h"

#include "kernels/base/checked_math.h"

namespace micrort {

namespace {

constexpr size_t kStateAlignment = alignof(max_align_t);

// As Tensor::declared has it.
Shape DeclaredShape(const schema::Tensor& source) {
  Shape shape = ShapeOf(source);
  const Span<const int32_t> most = Ints(source.max_shape());
  for (size_t d = 0; d < most.size(); ++d) shape[static_cast<int>(d)] -= most[d];
  return shape;
}

Status LoadTensors(Span<void* const> constants, Graph* graph) {
  const auto* sources = graph->source->tensors();
  MICRORT_RETURN_IF_ERROR(graph->tensors.Allocate(Count(sources)));
  MICRORT_RETURN_IF_ERROR(graph->declared.Allocate(graph->tensors.size()));
  MICRORT_RETURN_IF_ERROR(graph->in_arena.Allocate(graph->tensors.size()));
  MICRORT_RETURN_IF_ERROR(graph->planned_bytes.Allocate(graph->tensors.size()));
  MICRORT_RETURN_IF_ERROR(graph->planned_shapes.Allocate(graph->tensors.size()));
  MICRORT_RETURN_IF_ERROR(graph->changed.Allocate(graph->tensors.size()));
  for (uint32_t i = 0; i < graph->tensors.size(); ++i) {
    const schema::Tensor& source = *sources->Get(i);
    graph->declared[i] = DeclaredShape(source);
    Tensor& tensor = graph->tensors[i];
    tensor.name = Text(source.name());
    tensor.dtype = TypeOf(source);
    tensor.shape = ShapeOf(source);
    tensor.declared = &graph->declared[i];
    tensor.quantization = QuantizationOf(source);
    tensor.grid = Int4GridOf(source);
    tensor.constant = source.buffer() != 0;
    tensor.packed_only = source.packed_only();
    if (!tensor.constant || tensor.packed_only) continue;
    tensor.contents = Contents::kFixed;
    tensor.data = constants.empty() ? BufferData(*graph->model, source.buffer()) : constants[source.buffer()];
    if (tensor.data == nullptr) tensor.data = EmptyTensorData();
  }
  return Status();
}

Status LoadNodes(const OpResolver& resolver, Graph* graph) {
  MICRORT_RETURN_IF_ERROR(graph->nodes.Allocate(Count(graph->source->operators())));
  size_t state_bytes = 0;
  for (uint32_t i = 0; i < graph->nodes.size(); ++i) {
    Node& node = graph->nodes[i];
    node.source = graph->source->operators()->Get(i);
    node.registration = resolver.Find(static_cast<int>(node.source->code()));
    state_bytes += AlignUp(node.registration->state_bytes, kStateAlignment);
  }
  MICRORT_RETURN_IF_ERROR(graph->states.AllocateZeroed(state_bytes));
  auto* state = static_cast<uint8_t*>(graph->states.data());
  for (Node& node : graph->nodes) {
    node.state = state;
    state += AlignUp(node.registration->state_bytes, kStateAlignment);
  }
  return Status();
}

Status LinkNodes(Graph* graph) {
  size_t links = 0;
  for (const Node& node : graph->nodes) links += Count(node.source->inputs()) + Count(node.source->outputs());
  MICRORT_RETURN_IF_ERROR(graph->links.Allocate(links));
  Tensor** next = graph->links.data();
  const auto link = [&](Span<const int32_t> indices) {
    Tensor** const first = next;
    for (const int32_t i : indices) *next++ = i < 0 ? nullptr : &graph->tensors[static_cast<size_t>(i)];
    return Span<Tensor* const>(first, indices.size());
  };
  for (Node& node : graph->nodes) {
    node.inputs = link(Ints(node.source->inputs()));
    node.outputs = link(Ints(node.source->outputs()));
  }
  return Status();
}

}  // namespace

Status LoadGraph(const schema::Model& model, const schema::Subgraph& source, const OpResolver& resolver,
                 Span<void* const> constants, Graph* graph) {
  graph->model = &model;
  graph->source = &source;
  MICRORT_RETURN_IF_ERROR(LoadTensors(constants, graph));
  MICRORT_RETURN_IF_ERROR(LoadNodes(resolver, graph));
  MICRORT_RETURN_IF_ERROR(LinkNodes(graph));
  for (Node& node : graph->nodes) {
    Status s = node.registration->parse(*node.source, node.state);
    if (s.ok() && node.registration->bind != nullptr) {
      s = node.registration->bind(*node.source, resolver, node.state);
    }
    if (!s.ok()) return node.Explain(s);
  }
  return Status();
}

TensorView ViewOf(const Tensor& tensor) {
  TensorView view;
  view.name = tensor.name;
  view.dtype = tensor.dtype;
  view.shape = tensor.shape;
  view.data = tensor.data;
  if (tensor.quantization.scales != nullptr) view.quantization = tensor.quantization;
  return view;
}

}  // namespace micrort
