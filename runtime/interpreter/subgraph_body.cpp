// A subgraph as the body of an operator: inputs and outputs are the owner's memory.

#include "runtime/interpreter/node_work.h"
#include "runtime/interpreter/subgraph.h"

namespace micrort {

Status Subgraph::SetInput(int i, const Tensor& like, uint32_t open_dims) {
  const size_t index = InputIndex(i);
  Tensor& tensor = tensors_[index];
  const uint32_t open = like.varies ? kAllDims : open_dims;
  if (like.dtype != tensor.dtype || !MatchesFile(declared_[index], like.shape, open)) {
    return MICRORT_ERROR(kInvalidModel, "input %d ('%.100s'): expected %s of shape %s, found %s of shape %s",
                         i, tensor.name, Name(tensor.dtype), ShapeString(declared_[index]).c_str(),
                         Name(like.dtype), ShapeString(like.shape).c_str());
  }
  tensor.shape = like.shape;
  tensor.known = like.known;
  tensor.data = like.known ? like.data : nullptr;
  tensor.varies = open != 0;
  tensor.open_dims = static_cast<uint8_t>(open);
  in_arena_[index] = false;
  return Status();
}

Status Subgraph::Infer(InferGoal goal) {
  target_.bounds_only = goal == InferGoal::kBounds;
  MICRORT_RETURN_IF_ERROR(PrepareNodes());
  MICRORT_RETURN_IF_ERROR(lent_.Allocate(Ints(source_->outputs()).size()));
  for (int i = 0; i < output_count(); ++i) {
    // What was computed while planning stays where it is.
    lent_[static_cast<size_t>(i)] = in_arena_[OutputIndex(i)];
    in_arena_[OutputIndex(i)] = false;
  }
  return Status();
}

int64_t Subgraph::multiply_adds() const {
  int64_t sum = 0;
  for (const Node& node : nodes_) {
    if (!node.skipped) sum += node.prepared.multiply_adds;
  }
  return sum;
}

uint64_t Subgraph::work() const {
  uint64_t sum = 0;
  for (const Node& node : nodes_) {
    if (!node.skipped) sum = AddWork(sum, WorkOf(node));
  }
  return sum;
}

Status Subgraph::PlanArena(size_t* bytes) {
  MICRORT_RETURN_IF_ERROR(Plan(PlanRequest()));
  *bytes = AlignUp(layout_.arena_bytes, kAlignment);
  return Status();
}

void Subgraph::LendInput(int i, void* data, const Shape* shape) {
  Tensor& tensor = tensors_[InputIndex(i)];
  tensor.data = data;
  if (shape != nullptr) tensor.shape = *shape;
}

void Subgraph::LendOutput(int i, void* data) {
  if (lent_[static_cast<size_t>(i)]) tensors_[OutputIndex(i)].data = data;
}

}  // namespace micrort
