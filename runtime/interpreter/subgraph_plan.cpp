// Memory: where every tensor and every scratch block lies in the arena.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/interpreter/subgraph.h"
#include "runtime/ops/work_control.h"
#include "runtime/plan/check_plan.h"
#include "runtime/plan/plan_requests.h"
#include "runtime/plan/planner.h"

namespace micrort {

Status Subgraph::Plan(const PlanRequest& request) {
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildItems(&items));
  constexpr uint64_t kCompareWork = 50;  // each item is placed among all others
  MICRORT_RETURN_IF_ERROR(
      micrort::Spend(target_.control, MultiplyWork(MultiplyWork(items.size(), items.size()), kCompareWork)));
  layout_.arena_bytes = SIZE_MAX;
  if (request.use_file_offsets && FilePlanFits()) {
    FixedArray<PlanItem> fixed_items;
    MICRORT_RETURN_IF_ERROR(BuildItems(&fixed_items));
    UseFileOffsets(fixed_items);
    MICRORT_RETURN_IF_ERROR(TryPlan(fixed_items, 0));
    if (layout_.arena_bytes == layout_.lower_bound) return Status();
  }
  // Scratch differs with threads and instruction sets, so the file's plan need not be the best one here.
  constexpr int kTimesWithoutFile = 8;  // no plan in the file helps there
  const int device_steps = DeviceSearchSteps(items.size()) * (RunsAsInFile() ? 1 : kTimesWithoutFile);
  const int steps = request.search_steps == kDeviceSearch ? device_steps : request.search_steps;
  return TryPlan(items, steps);
}

Status Subgraph::TryPlan(Span<const PlanItem> items, int search_steps) {
  FixedArray<size_t> offsets;
  MICRORT_RETURN_IF_ERROR(offsets.Allocate(items.size()));
  MemoryLayout layout;
  MICRORT_RETURN_IF_ERROR(PlanMemory(items, {search_steps}, offsets, &layout));
  MICRORT_RETURN_IF_ERROR(CheckPlan(items, offsets, layout.arena_bytes));
  if (layout.arena_bytes >= layout_.arena_bytes) return Status();
  layout_ = layout;
  offsets_ = std::move(offsets);
  tensor_bytes_ = 0;
  for (size_t t = 0; t < tensors_.size(); ++t) {
    tensor_bytes_ = std::max(tensor_bytes_, offsets_[t] + items[t].bytes);
  }
  return Status();
}

Status Subgraph::BuildItems(FixedArray<PlanItem>* items) const {
  FixedArray<size_t> tensor_bytes;
  MICRORT_RETURN_IF_ERROR(tensor_bytes.Allocate(tensors_.size()));
  for (size_t t = 0; t < tensors_.size(); ++t) tensor_bytes[t] = in_arena_[t] ? tensors_[t].bytes() : 0;
  FixedArray<PlanOp> ops;
  MICRORT_RETURN_IF_ERROR(ops.Allocate(nodes_.size()));
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const schema::Operator& op = *nodes_[i].source;
    ops[i] = {Ints(op.inputs()), Ints(op.outputs()), &nodes_[i].prepared, nodes_[i].skipped};
  }
  for (const FusedChain& chain : chains_) {  // the first of its nodes stands for all
    for (size_t i = chain.first; i < chain.end; ++i) ops[i].skipped = true;
    ops[chain.first] = {chain.inputs, ops[chain.end - 1].outputs, &chain.prepared, false};
  }
  for (const ConcatPart& part : concat_parts_) {
    if (!nodes_[part.concat].joined) continue;
    ops[part.producer].outputs = ops[part.concat].outputs;
    ops[part.concat].skipped = true;
  }
  return BuildPlanItems({ops, Ints(source_->inputs()), Ints(source_->outputs()), tensor_bytes}, items);
}

// A convolution that the file wants in place may have an algorithm here that cannot do so.
bool Subgraph::FilePlanFits() const {
  if (source_->plan() == nullptr || !RunsAsInFile()) return false;
  for (size_t o = 0; o < nodes_.size(); ++o) {
    const Node& node = nodes_[o];
    const bool may_be_offered = node.registration->conv_layer != nullptr && !node.skipped;
    if (may_be_offered && node.prepared.in_place[0] < 0 && FileHasInPlace(o)) return false;
  }
  return true;
}

// The file plans tensors of static shape only, so what it says fits whatever shapes the inputs have.
void Subgraph::UseFileOffsets(Span<PlanItem> items) const {
  const auto* offsets = source_->plan()->offsets();
  for (uint32_t t = 0; t < tensors_.size(); ++t) {
    if (items[t].bytes != 0) items[t].fixed_offset = offsets->Get(t);
  }
}

}  // namespace micrort
