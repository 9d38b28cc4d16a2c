#include "runtime/interpreter/subgraph.h"

#include <algorithm>
#include <cstdint>

#include "runtime/interpreter/prepare_nodes.h"
#include "runtime/interpreter/run_program.h"
#include "runtime/interpreter/update_program.h"
#include "runtime/ops/work_control.h"
#include "runtime/program/decisions.h"
#include "runtime/program/rewrites/rewrites.h"

namespace micrort {

namespace {

Status CheckInputSize(const Tensor& tensor) {
  int64_t elements = 0;
  if (tensor.shape.CheckedElements(SizeOf(tensor.dtype), &elements) &&
      static_cast<uint64_t>(elements) <= PTRDIFF_MAX / SizeOf(tensor.dtype)) {
    return Status();
  }
  return MICRORT_ERROR(kInvalidArgument, "input '%.100s': shape %s is too large", tensor.name,
                       ShapeString(tensor.shape).c_str());
}

Status NoteInputShapes(Graph* graph) {
  MICRORT_RETURN_IF_ERROR(graph->input_shapes.Allocate(graph->inputs().size()));
  for (size_t i = 0; i < graph->input_shapes.size(); ++i) {
    graph->input_shapes[i] = graph->tensors[static_cast<size_t>(graph->inputs()[i])].shape;
  }
  return Status();
}

}  // namespace

Status InitSubgraphs(const schema::Model& model, const OpResolver& resolver, FixedArray<Subgraph>* subgraphs,
                     Span<void* const> constants) {
  MICRORT_RETURN_IF_ERROR(subgraphs->Allocate(model.subgraphs()->size()));
  for (uint32_t i = 0; i < subgraphs->size(); ++i) {
    MICRORT_RETURN_IF_ERROR(
        (*subgraphs)[i].Init(model, *model.subgraphs()->Get(i), resolver, constants, *subgraphs));
  }
  return Status();
}

Status Subgraph::Init(const schema::Model& model, const schema::Subgraph& source, const OpResolver& resolver,
                      Span<void* const> constants, FixedArray<Subgraph>& all) {
  MICRORT_RETURN_IF_ERROR(LoadGraph(model, source, resolver, constants, &graph_));
  for (Node& node : graph_.nodes) {
    uint32_t bodies[kMaxBodies] = {};
    node.body_count = static_cast<size_t>(BodiesOf(*node.source, bodies));
    for (size_t b = 0; b < node.body_count; ++b) {
      node.body_plans[b] = &all[bodies[b]].body();
      node.bodies[b] = &all[bodies[b]].body();
    }
  }
  return Status();
}

void Subgraph::SetTarget(const PrepareTarget& target) {
  target_ = target;
  may_be_decided_ = target.chooser == nullptr;  // the file decided by estimated cost
  body_.Forget();
  for (const Node& node : graph_.nodes) {
    for (const Body* body : node.Bodies()) SubgraphOf(*body).SetTarget(target);
  }
}

Status Subgraph::Prepare(Span<const Shape> input_shapes, Span<const void* const> input_values,
                         const PrepareTarget& target) {
  SetTarget(target);
  const size_t caller_inputs = CallerInputs(source()).size();
  for (size_t i = 0; i < graph_.inputs().size(); ++i) {
    const auto index = static_cast<size_t>(graph_.inputs()[i]);
    Tensor& tensor = graph_.tensors[index];
    const bool is_given = i < input_values.size() && input_values[i] != nullptr;
    graph_.changed[index] = is_given || tensor.is_readable() || tensor.shape != input_shapes[i];
    tensor.shape = input_shapes[i];
    MICRORT_RETURN_IF_ERROR(CheckInputSize(tensor));
    if (target.control != nullptr) {
      MICRORT_RETURN_IF_ERROR(target.control->CheckTensor(tensor.name, tensor.shape, SizeOf(tensor.dtype)));
    }
    tensor.contents = is_given ? Contents::kFixed : Contents::kUnknown;
    if (is_given) tensor.data = const_cast<void*>(input_values[i]);
    graph_.in_arena[index] = !is_given && i < caller_inputs;
  }
  MICRORT_RETURN_IF_ERROR(NoteInputShapes(&graph_));
  const bool may_update = graph_.is_prepared && graph_.decisions == nullptr && !program_.steps.empty();
  MICRORT_RETURN_IF_ERROR(NodePreparation(graph_, target_).RunChanged());
  is_updated_ = may_update && UpdateProgram(graph_, target_.features, &program_);
  return is_updated_ ? Status() : LowerGraph(graph_, &program_);
}

bool Subgraph::TakeDecisions(Span<const Shape> input_shapes, Span<const void* const> input_values,
                             const PrepareTarget& target) {
  graph_.decisions = FindDecisions(*graph_.source, {target.features, target.workers}, input_shapes);
  if (graph_.decisions == nullptr) return false;
  Status status = Prepare(input_shapes, input_values, target);
  if (status.ok())
    status =
        ApplyDecisions(*graph_.decisions, target.features, file_plan(), target.control, &program_, &memory_);
  if (status.ok()) return true;
  // Made for other kernels, or by nobody: all is decided here, and what is wrong with the model shows there.
  graph_.decisions = nullptr;
  return false;
}

Status Subgraph::PrepareAsBody() {
  MICRORT_RETURN_IF_ERROR(NoteInputShapes(&graph_));
  graph_.decisions = nullptr;
  if (may_be_decided_) {
    graph_.decisions =
        FindDecisions(*graph_.source, {target_.features, target_.workers}, graph_.input_shapes);
  }
  const Status status = NodePreparation(graph_, target_).Run();
  if (status.ok() || graph_.decisions == nullptr) return status;
  // As in TakeDecisions.
  graph_.decisions = nullptr;
  may_be_decided_ = false;
  return NodePreparation(graph_, target_).Run();
}

// The algorithms stay where places do not fit: whoever owns the body knows its shapes, which may be others
// now.
Status Subgraph::PlanAsBody() {
  MICRORT_RETURN_IF_ERROR(LowerGraph(graph_, &program_));
  if (graph_.decisions != nullptr) {
    if (ApplyPlaces(*graph_.decisions, target_.control, program_, &memory_).ok()) return Status();
    graph_.decisions = nullptr;
    may_be_decided_ = false;
  }
  return Plan();
}

Status Subgraph::Rewrite(bool fuse) {
  if (is_updated_) return Status();
  ++graph_.searches;
  if (fuse) {
    MICRORT_RETURN_IF_ERROR(FuseElementwise(target_.features, &program_));
    MICRORT_RETURN_IF_ERROR(FuseStripes(&program_));
    MICRORT_RETURN_IF_ERROR(PlaceZeroCopyConcats(target_.control, &program_));
  }
  return TakeInPlaceCandidates(file_plan(), &program_);
}

Status Subgraph::Plan() {
  constexpr uint64_t kCompareWork = 50;  // each item is placed among all others
  const size_t items = program_.buffers.size() + program_.node_count;
  MICRORT_RETURN_IF_ERROR(Spend(target_.control, MultiplyWork(MultiplyWork(items, items), kCompareWork)));
  if (former_ != nullptr) {
    MICRORT_RETURN_IF_ERROR(PlaceAsFormerly(program_, *former_, &memory_));
    if (!memory_.offsets.empty()) return Status();
  }
  ++graph_.searches;
  return placer_ != nullptr ? placer_->Place(*this, &memory_) : PlaceProgram(program_, file_plan(), &memory_);
}

void Subgraph::Forget() {
  graph_.searches = 0;
  memory_ = ProgramMemory();
}

void Subgraph::Bind(void* arena) {
  auto* base = static_cast<uint8_t*>(arena);
  for (size_t i = 0; i < program_.views.size(); ++i) {
    const View& view = program_.views[i];
    if (view.buffer < 0) continue;
    Tensor& tensor = graph_.tensors[i];
    if (!program_.buffers[static_cast<size_t>(view.buffer)].in_arena) {
      if (graph_.in_arena[i]) tensor.data = nullptr;  // a rewrite needs no memory for it
      continue;
    }
    tensor.data = tensor.bytes() == 0
                      ? EmptyTensorData()
                      : base + memory_.offsets[static_cast<size_t>(view.buffer)] + view.offset;
  }
  for (const Step& step : program_.steps) {
    if (step.removed) continue;
    const auto index = static_cast<size_t>(step.node);
    Node& node = graph_.nodes[index];
    if (step.scratch_bytes != 0) node.scratch = base + memory_.offsets[program_.buffers.size() + index];
    BindBodies(node);
  }
}

// Branches share one place: only one of them runs.
void BindBodies(const Node& node) {
  for (const Body* body : node.Bodies()) {
    Subgraph& subgraph = SubgraphOf(*body);
    if (subgraph.is_planned()) subgraph.Bind(node.scratch);
  }
}

size_t Subgraph::max_views() const {
  size_t most = 0;
  for (const Node& node : graph_.nodes) most = std::max(most, node.inputs.size() + node.outputs.size());
  return most;
}

Status Subgraph::Run(const Parallel& parallel, OpObserver* observer, Span<TensorView> views) {
  return ProgramRun(program_, graph_, target_).Run(parallel, observer, views);
}

}  // namespace micrort
