#pragma once
// From a graph whose operators are prepared to what the planner has to place. The interpreter and the
// converter's offline planning both come through here, so that they agree on who lives when and who may take
// over whom.

#include "kernels/base/fixed_array.h"
#include "runtime/ops/op.h"
#include "runtime/plan/plan_item.h"

namespace micrort {

struct PlanOp {
  Span<const int32_t> inputs;  // tensor indices; -1: absent
  Span<const int32_t> outputs;
  const PrepareResult* prepared = nullptr;
  bool skipped = false;  // does not run: its outputs were computed while planning
};

struct PlanGraph {
  Span<const PlanOp> ops;  // in run order
  Span<const int32_t> inputs;
  Span<const int32_t> outputs;
  // Exact bytes of every tensor that lives in the arena; 0 for all others (constants, known tensors, tensors
  // that nothing writes).
  Span<const size_t> tensor_bytes;
};

// Item t is tensor t, item tensor_bytes.size() + o is the scratch of operator o.
//   graph inputs   live from the start to their last use; through the whole run if nothing reads them
//   graph outputs  live to the end
//   other tensors  live from their producer, the first if several write parts, to their last use
// An output takes over the input that its operator allows if both have the same bytes, the operator reads
// that input in one place only, and no later operator nor the caller reads it. A graph input may be taken
// over.
Status BuildPlanItems(const PlanGraph& graph, FixedArray<PlanItem>* items);

}  // namespace micrort
