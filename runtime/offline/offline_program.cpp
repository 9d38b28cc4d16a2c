#include "runtime/offline/offline_program.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "runtime/offline/offline_plan.h"
#include "runtime/ops/call_work.h"
#include "runtime/ops/work_control.h"
#include "runtime/program/decisions.h"

namespace micrort {

namespace {

// Operators on constants alone are computed offline, unless there is too much to store.
bool AreConstants(const OfflineGraph& graph, const schema::Operator& op) {
  const Span<const int32_t> inputs = Ints(op.inputs());
  return std::all_of(inputs.begin(), inputs.end(),
                     [&](int32_t input) { return input < 0 || graph.is_constant(input); });
}

}  // namespace

Status OfflineProgram::Load(const schema::Model& model, const OpResolver& resolver,
                            const PrepareTarget& target) {
  graph_.model = &model;
  graph_.source = model.subgraphs()->Get(0);
  target_ = target;
  if (Count(model.subgraphs()) != 1) {
    return MICRORT_ERROR(
        kUnsupported,
        "graphs inside operators, which this build leaves out (MICRORT_PLANNING): compile the model "
        "ahead of time (mnnconvert --emit cpp)");
  }
  if (StateCount(source()) != 0) {
    return MICRORT_ERROR(
        kUnsupported,
        "values kept between runs, which this build leaves out (MICRORT_PLANNING): compile the model "
        "ahead of time (mnnconvert --emit cpp)");
  }
  MICRORT_RETURN_IF_ERROR(CheckTensors());
  MICRORT_RETURN_IF_ERROR(FindProgram());
  MICRORT_RETURN_IF_ERROR(FindOperators(resolver));
  return PrepareNodes();
}

Status OfflineProgram::CheckTensors() const {
  for (uint32_t i = 0; i < Count(source().tensors()); ++i) {
    const schema::Tensor& tensor = *source().tensors()->Get(i);
    const Shape shape = ShapeOf(tensor);
    if (std::any_of(shape.dims, shape.dims + shape.rank, [](int64_t dim) { return dim < 0; })) {
      return MICRORT_ERROR(kUnsupported,
                           "tensor '%.100s' has the dynamic shape %s, which this build leaves out "
                           "(MICRORT_PLANNING): convert with --input-shape",
                           Text(tensor.name()), ShapeString(shape).c_str());
    }
    MICRORT_RETURN_IF_ERROR(target_.control->CheckTensor(Text(tensor.name()), shape, SizeOf(TypeOf(tensor))));
  }
  return Status();
}

Status OfflineProgram::FindProgram() {
  const Span<const int32_t> inputs = Ints(source().inputs());
  FixedArray<Shape> shapes;
  MICRORT_RETURN_IF_ERROR(shapes.Allocate(inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) shapes[i] = ShapeOf(graph_.tensor(inputs[i]));
  graph_.program = FindDecisions(source(), {target_.features, target_.workers}, shapes);
  if (graph_.program == nullptr) {
    return MICRORT_ERROR(kUnsupported, "the file has no program for this CPU: convert with --target");
  }
  if (Count(graph_.program->stripes()) == 0 && Count(graph_.program->concats()) == 0) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "the file's program runs operators together: convert with --target, of a "
                       "microcontroller");
}

Status OfflineProgram::FindOperators(const OpResolver& resolver) {
  const uint32_t count = Count(source().operators());
  MICRORT_RETURN_IF_ERROR(registrations_.Allocate(count));
  size_t workspace = 0;
  bool has_bound = false;
  for (uint32_t i = 0; i < count; ++i) {
    const schema::Operator& op = *source().operators()->Get(i);
    registrations_[i] = resolver.Find(static_cast<int>(op.code()));
    if (registrations_[i] == nullptr) {
      return MICRORT_ERROR(kUnsupported, "the resolver lacks %s, of node '%.100s'",
                           schema::EnumNameOpCode(op.code()), Text(op.name()));
    }
    if (AreConstants(graph_, op)) {
      return MICRORT_ERROR(kUnsupported,
                           "node '%.100s' (%s) computes with constants alone, which this build "
                           "leaves out (MICRORT_PLANNING)",
                           Text(op.name()), registrations_[i]->name);
    }
    workspace = std::max(workspace, OfflineNode::BytesFor(op, *registrations_[i]));
    has_bound |= registrations_[i]->bind != nullptr;
  }
  if (has_bound) {
    MICRORT_RETURN_IF_ERROR(resolver_.Allocate(1));
    resolver_[0] = resolver;
    graph_.resolver = resolver_.data();
  }
  return workspace_.Allocate(CeilDiv(workspace, sizeof(max_align_t)));
}

Status OfflineProgram::PrepareNodes() {
  OfflinePlan plan(graph_);
  uint64_t work = 0;
  MICRORT_RETURN_IF_ERROR(plan.Init());
  for (uint32_t i = 0; i < registrations_.size(); ++i) {
    OfflineNode* node = nullptr;
    MICRORT_RETURN_IF_ERROR(
        OfflineNode::Make(graph_, i, *registrations_[i], target_, workspace_.data(), &node));
    if (Status s = plan.AddNode(i, *node); !s.ok()) return node->Explain(s);
    for (const PrepareResult::Packed& packed : node->prepared.packed) packed_bytes_ += packed.bytes;
    work = AddWork(work, WorkOfCall(*registrations_[i], node->inputs, node->outputs, node->prepared));
  }
  arena_bytes_ = plan.arena_bytes();
  buffer_bytes_ = plan.buffer_bytes();
  lower_bound_ = plan.lower_bound();
  MICRORT_RETURN_IF_ERROR(target_.control->CheckRun(work));
  return target_.control->CheckMemory(arena_bytes_);
}

Status OfflineProgram::Run() {
  for (uint32_t i = 0; i < registrations_.size(); ++i) MICRORT_RETURN_IF_ERROR(RunNode(i));
  return target_.control->stop().Check();
}

// What was checked as the program was loaded holds still: an operator is prepared from the file alone.
Status OfflineProgram::RunNode(uint32_t index) {
  OfflineNode* node = nullptr;
  MICRORT_RETURN_IF_ERROR(
      OfflineNode::Make(graph_, index, *registrations_[index], target_, workspace_.data(), &node));
  const size_t scratch = static_cast<size_t>(graph_.program->scratch_offsets()->Get(index)) * kAlignment;
  Status status =
      target_.control->Spend(WorkOfCall(*registrations_[index], node->inputs, node->outputs, node->prepared));
  if (status.ok()) {
    status = node->Run(node->prepared.scratch_bytes == 0 ? nullptr : graph_.arena + scratch, target_.control);
  }
  return status.ok() ? status : node->Explain(status);
}

TensorView OfflineProgram::View(int32_t index) const {
  Tensor tensor;
  MakeTensor(graph_, index, &tensor);
  TensorView view;
  view.name = tensor.name;
  view.dtype = tensor.dtype;
  view.shape = tensor.shape;
  view.data = tensor.data;
  view.quantization = tensor.quantization;
  return view;
}

}  // namespace micrort
