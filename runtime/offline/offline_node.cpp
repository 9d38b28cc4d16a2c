#include "runtime/offline/offline_node.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

#include "kernels/base/checked_math.h"
#include "kernels/conv_call/conv_call.h"
#include "runtime/memory/empty_tensor.h"
#include "runtime/model/packed_in_file.h"
#include "runtime/ops/check_int16.h"
#include "runtime/ops/op_traits.h"
#include "runtime/ops/work_control.h"
#include "runtime/program/decisions.h"

namespace micrort {

namespace {

constexpr size_t kAlignmentOfAll = alignof(max_align_t);

// Places objects one after another. Without memory it only counts.
class Layout {
 public:
  explicit Layout(void* memory) : memory_(static_cast<uint8_t*>(memory)) {}
  void* Take(size_t bytes) {
    void* const place = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += AlignUp(bytes, kAlignmentOfAll);
    return place;
  }
  size_t used() const { return used_; }

 private:
  uint8_t* memory_;
  size_t used_ = 0;
};

struct Parts {
  OfflineNode* node;
  Tensor* tensors;
  Tensor** links;
  Shape* declared;  // of outputs
  void* state;
};

Parts LayOutParts(const schema::Operator& op, const OpRegistration& registration, Layout* layout) {
  const size_t inputs = Count(op.inputs()), outputs = Count(op.outputs());
  Parts parts = {};
  parts.node = static_cast<OfflineNode*>(layout->Take(sizeof(OfflineNode)));
  parts.tensors = static_cast<Tensor*>(layout->Take((inputs + outputs) * sizeof(Tensor)));
  parts.links = static_cast<Tensor**>(layout->Take((inputs + outputs) * sizeof(Tensor*)));
  parts.declared = static_cast<Shape*>(layout->Take(outputs * sizeof(Shape)));
  parts.state = layout->Take(registration.state_bytes);
  return parts;
}

bool Lists(const flatbuffers::Vector<uint32_t>* list, uint32_t value) {
  return list != nullptr && std::find(list->begin(), list->end(), value) != list->end();
}

const Tensor* Operand(const OfflineNode& node, size_t i) {
  return i < node.inputs.size() ? node.inputs[i] : nullptr;
}

void RunConv(const OfflineNode& node, void* scratch, const Parallel& parallel) {
  const Tensor* bias = Operand(node, kLayerBias);
  const Tensor* residual = Operand(node, kLayerResidual);
  const Tensor* slopes = Operand(node, kLayerSlopes);
  ConvTensors tensors = {};
  tensors.x = node.inputs[kLayerX]->data;
  tensors.packed = node.packed[0];
  // A bias of integers is packed with the weights.
  tensors.bias = bias != nullptr && bias->dtype == DType::kFloat32 ? bias->as<float>() : nullptr;
  tensors.residual = residual == nullptr ? nullptr : residual->data;
  tensors.slopes = slopes == nullptr ? nullptr : slopes->as<float>();
  tensors.y = node.outputs[0]->data;
  tensors.scratch = scratch;
  RunConvCall(*node.prepared.conv, tensors, parallel);
}

}  // namespace

void MakeTensor(const OfflineGraph& graph, int32_t index, Tensor* tensor) {
  const schema::Tensor& source = graph.tensor(index);
  tensor->name = Text(source.name());
  tensor->dtype = TypeOf(source);
  tensor->shape = ShapeOf(source);
  tensor->quantization = QuantizationOf(source);
  tensor->grid = Int4GridOf(source);
  tensor->constant = source.buffer() != 0;
  tensor->packed_only = source.packed_only();
  if (tensor->constant && !tensor->packed_only) {
    tensor->contents = Contents::kFixed;
    void* const data = BufferData(*graph.model, source.buffer());
    tensor->data = data == nullptr ? EmptyTensorData() : data;
  } else if (!tensor->constant && graph.arena != nullptr) {
    tensor->data = tensor->bytes() == 0 ? EmptyTensorData() : graph.arena + graph.offset(index);
  }
}

size_t OfflineGraph::offset(int32_t i) const {
  return static_cast<size_t>(program->offsets()->Get(static_cast<uint32_t>(i))) * kAlignment;
}

size_t OfflineGraph::bytes(int32_t i) const {
  const schema::Tensor& source = tensor(i);
  return static_cast<size_t>(ShapeOf(source).elements()) * SizeOf(TypeOf(source));
}

size_t OfflineNode::BytesFor(const schema::Operator& op, const OpRegistration& registration) {
  Layout layout(nullptr);
  LayOutParts(op, registration, &layout);
  return layout.used();
}

Status OfflineNode::Make(const OfflineGraph& graph, uint32_t index, const OpRegistration& registration,
                         const PrepareTarget& target, void* memory, OfflineNode** made) {
  const schema::Operator& op = *graph.source->operators()->Get(index);
  Layout layout(memory);
  const Parts parts = LayOutParts(op, registration, &layout);
  OfflineNode* const node = *made = new (parts.node) OfflineNode();
  node->source = &op;
  node->registration = &registration;
  node->state = parts.state;
  std::memset(node->state, 0, registration.state_bytes);
  size_t count = 0;
  for (const auto* list : {op.inputs(), op.outputs()}) {
    for (const int32_t i : Ints(list)) {
      Tensor* const tensor = new (parts.tensors + count) Tensor();
      if (i >= 0) MakeTensor(graph, i, tensor);
      parts.links[count++] = i < 0 ? nullptr : tensor;
    }
  }
  node->inputs = {parts.links, Count(op.inputs())};
  node->outputs = {parts.links + Count(op.inputs()), Count(op.outputs())};
  for (size_t k = 0; k < node->outputs.size(); ++k) {
    node->outputs[k]->declared = new (parts.declared + k) Shape(node->outputs[k]->shape);
  }
  Status status = registration.parse(op, node->state);
  if (status.ok() && registration.bind != nullptr)
    status = registration.bind(op, *graph.resolver, node->state);
  if (status.ok()) status = node->Prepare(graph, index, target);
  if (status.ok()) status = node->FindPackedWeights(*graph.model);
  return status.ok() ? status : node->Explain(status);
}

Status OfflineNode::Prepare(const OfflineGraph& graph, uint32_t index, PrepareTarget target) {
  MICRORT_RETURN_IF_ERROR(CheckInt16(*source, inputs, outputs));
  const int64_t limit = source->max_scratch();
  if (limit >= 0 && static_cast<uint64_t>(limit) <= SIZE_MAX)
    target.scratch_limit = static_cast<size_t>(limit);
  target.algorithm = DecidedAlgorithm(*graph.program, index);
  const bool packed_only = std::any_of(inputs.begin(), inputs.end(), [](const Tensor* tensor) {
    return tensor != nullptr && tensor->packed_only;
  });
  if (packed_only) {
    target.only_layout = PackedLayout(*source);
    target.only_variant = PackedVariant(*source);
  }
  PrepareContext context(inputs, outputs, state, target, PrepareStage::kPlan, &prepared);
  MICRORT_RETURN_IF_ERROR(registration->prepare(context));
  if (!HaveFixedExtents(outputs))
    return MICRORT_ERROR(kUnsupported, "its outputs have sizes that data decide");
  if (Lists(graph.program->in_place(), index) && prepared.in_place_candidate.input >= 0) {
    prepared.in_place[0] = prepared.in_place_candidate.input;
    prepared.scratch_bytes = std::max(prepared.scratch_bytes, prepared.in_place_candidate.scratch_bytes);
  }
  if (prepared.scratch_bytes <= std::min<size_t>(target.scratch_limit, PTRDIFF_MAX / 2)) return Status();
  return MICRORT_ERROR(kOutOfMemory, "needs %zu bytes of scratch, the file allows %zu",
                       prepared.scratch_bytes, target.scratch_limit);
}

Status OfflineNode::FindPackedWeights(const schema::Model& model) {
  uint64_t read_packed = 0;  // inputs, a bit each
  for (int slot = 0; slot < kMaxPacked; ++slot) {
    const PrepareResult::Packed& wanted = prepared.packed[slot];
    if (wanted.bytes == 0) continue;
    const Span<const uint8_t> found = FindPacked(model, *source, slot, wanted.layout);
    if (found.empty()) {
      return MICRORT_ERROR(kUnsupported, "the file holds no weights packed as '%s': convert with --target",
                           wanted.layout_name);
    }
    if (found.size() != wanted.bytes) {
      return MICRORT_ERROR(kInvalidModel, "weights packed as '%s': expected %zu bytes, found %zu",
                           wanted.layout_name, wanted.bytes, found.size());
    }
    packed[slot] = found.data();
    if (wanted.input >= 0) read_packed |= uint64_t{1} << wanted.input;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr || !inputs[i]->packed_only || (i < 64 && (read_packed >> i & 1) != 0)) continue;
    return MICRORT_ERROR(kInvalidModel, "input %zu ('%.100s') is stored packed only, and not for this node",
                         i, inputs[i]->name);
  }
  return Status();
}

Status OfflineNode::Run(void* scratch, WorkControl* control) const {
  const SequentialUntilStopped parallel(StopOf(control));
  if (prepared.conv != nullptr) {
    RunConv(*this, scratch, parallel);
    return Status();
  }
  RunContext context{inputs, outputs, state, scratch, {}, &parallel, {}, control};
  for (int slot = 0; slot < kMaxPacked; ++slot) context.packed[slot] = packed[slot];
  return registration->run(context);
}

}  // namespace micrort
