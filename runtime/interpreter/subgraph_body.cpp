#include "runtime/interpreter/subgraph_body.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "runtime/interpreter/subgraph.h"
#include "runtime/ops/work_control.h"

namespace micrort {

Graph& SubgraphBody::graph() const { return subgraph_.graph(); }

size_t SubgraphBody::InputIndex(int i) const {
  return static_cast<size_t>(graph().inputs()[static_cast<size_t>(i)]);
}

size_t SubgraphBody::OutputIndex(int i) const {
  return static_cast<size_t>(graph().outputs()[static_cast<size_t>(i)]);
}

namespace {

bool HasBodies(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const Node& node) { return node.body_count != 0; });
}

// What nodes that will not run asked for, those of bodies inside, too.
void DropRequests(Graph& graph) {
  for (Node& node : graph.nodes) {
    node.prepared = PrepareResult();
    for (const Body* body : node.Bodies()) DropRequests(SubgraphOf(*body).graph());
  }
}

}  // namespace

int SubgraphBody::input_count() const { return static_cast<int>(graph().inputs().size()); }
int SubgraphBody::output_count() const { return static_cast<int>(graph().outputs().size()); }
const Tensor& SubgraphBody::input(int i) const { return graph().tensors[InputIndex(i)]; }
const Tensor& SubgraphBody::output(int i) const { return graph().tensors[OutputIndex(i)]; }

Status SubgraphBody::SetInput(int i, const Tensor& like) {
  const size_t index = InputIndex(i);
  Tensor& tensor = graph().tensors[index];
  if (like.dtype != tensor.dtype || !MatchesFile(graph().declared[index], like.shape, like.extents)) {
    return Fail(MICRORT_ERROR(kInvalidModel,
                              "input %d ('%.100s'): expected %s of shape %s, found %s of shape %s", i,
                              tensor.name, Name(tensor.dtype), ShapeString(graph().declared[index]).c_str(),
                              Name(like.dtype), ShapeString(like.shape).c_str()));
  }
  const bool is_new_shape = tensor.shape != like.shape || tensor.extents != like.extents;
  // Elements that can be read may be others.
  if (is_new_shape || tensor.is_readable() || like.is_readable()) Forget();
  tensor.shape = like.shape;
  tensor.extents = like.extents;
  tensor.contents = like.contents;
  tensor.data = like.is_readable() ? like.data : nullptr;
  graph().in_arena[index] = false;
  return Status();
}

Status SubgraphBody::Infer(InferGoal goal) {
  // Only graphs inside are treated differently.
  const bool is_for_plan = goal == InferGoal::kPlan || !HasBodies(graph());
  const Progress wanted = is_for_plan ? Progress::kInferredForPlan : Progress::kInferredForBounds;
  if (progress_ >= wanted) return Status();
  Forget();
  if (const Status status = InferNodes(goal); !status.ok()) return Fail(status);
  failure_ = FixedArray<Status>();
  progress_ = wanted;
  return Status();
}

Status SubgraphBody::Fail(const Status& reason) {
  Forget();
  DropRequests(graph());
  MICRORT_RETURN_IF_ERROR(failure_.Allocate(1));
  return failure_[0] = reason;
}

Status SubgraphBody::InferNodes(InferGoal goal) {
  subgraph_.SetBoundsOnly(goal == InferGoal::kBounds);
  MICRORT_RETURN_IF_ERROR(subgraph_.PrepareAsBody());
  MICRORT_RETURN_IF_ERROR(lent_.Allocate(graph().outputs().size()));
  for (int i = 0; i < output_count(); ++i) {
    // What was computed while planning stays where it is.
    lent_[static_cast<size_t>(i)] = graph().in_arena[OutputIndex(i)];
    graph().in_arena[OutputIndex(i)] = false;
  }
  return Status();
}

int64_t SubgraphBody::multiply_adds() const {
  int64_t sum = 0;
  for (const Node& node : graph().nodes) {
    if (!node.skipped) sum += node.prepared.multiply_adds;
  }
  return sum;
}

// Where data decide sizes, a run pays for those at hand: bounds of several such nodes multiply to what no run
// takes.
uint64_t SubgraphBody::work() const {
  uint64_t sum = 0;
  for (const Node& node : graph().nodes) {
    if (!node.skipped) sum = AddWork(sum, node.data_dependent ? kOperatorWork : node.work);
  }
  return sum;
}

Status SubgraphBody::PlanArena(size_t* bytes) {
  if (progress_ != Progress::kPlanned) {
    MICRORT_RETURN_IF_ERROR(subgraph_.PlanAsBody());
    // An owner may have widened inputs since.
    if (progress_ == Progress::kInferredForPlan) progress_ = Progress::kPlanned;
  }
  *bytes = AlignUp(subgraph_.memory().layout.arena_bytes, kAlignment);
  return Status();
}

void SubgraphBody::LendInput(int i, void* data, const Shape* shape) {
  Tensor& tensor = graph().tensors[InputIndex(i)];
  tensor.data = data;
  if (shape != nullptr) tensor.shape = *shape;
}

void SubgraphBody::LendOutput(int i, void* data) {
  if (lent_[static_cast<size_t>(i)]) graph().tensors[OutputIndex(i)].data = data;
}

Status SubgraphBody::Run(const Parallel& parallel) {
  Forget();  // it decides sizes of tensors
  return subgraph_.Run(parallel, nullptr, {});
}

}  // namespace micrort
