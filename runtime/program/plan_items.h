#pragma once
// From a program to what the planner has to place. The interpreter and the converter's offline planning both
// come through here, so that they agree on who lives when and who may take over whom.

#include "runtime/plan/plan_item.h"
#include "runtime/program/program.h"

namespace micrort {

// Item b is buffer b, item buffers.size() + n the scratch of the step whose first source node is n; time is
// counted in source nodes.
//   what the caller writes  lives from the start to its last use; through the whole run if nothing reads it,
//   or if the
//                           program keeps inputs
//   what the caller reads   lives to the end
//   other buffers           live from their producer, the first if several write parts, to their last use
// An output takes over the input that its step allows if both are whole buffers of the same bytes, the step
// reads that input in one place only, and no later step nor the caller reads it. A buffer that the caller
// writes may be taken over.
Status BuildPlanItems(const Program& program, FixedArray<PlanItem>* items);

}  // namespace micrort
