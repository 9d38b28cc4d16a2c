#include "runtime/program/place.h"

#include <algorithm>
#include <utility>

#include "runtime/plan/check_plan.h"
#include "runtime/plan/planner.h"
#include "runtime/program/plan_items.h"

namespace micrort {

namespace {

// Takes the plan it makes if that is smaller than the one in hand.
Status TryPlan(const Program& program, Span<const PlanItem> items, int search_steps, ProgramMemory* memory) {
  ProgramMemory found;
  MICRORT_RETURN_IF_ERROR(found.offsets.Allocate(items.size()));
  MICRORT_RETURN_IF_ERROR(PlanMemory(items, {search_steps}, found.offsets, &found.layout));
  MICRORT_RETURN_IF_ERROR(CheckPlan(items, found.offsets, found.layout.arena_bytes));
  if (found.layout.arena_bytes >= memory->layout.arena_bytes) return Status();
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    found.buffer_bytes = std::max(found.buffer_bytes, found.offsets[b] + items[b].bytes);
  }
  *memory = std::move(found);
  return Status();
}

}  // namespace

Status PlaceProgram(const Program& program, const FilePlan& file_plan, ProgramMemory* memory) {
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildPlanItems(program, &items));
  memory->layout.arena_bytes = SIZE_MAX;
  // Which lets inputs be overwritten.
  if (file_plan.Fits() && !program.keeps_inputs) {
    FixedArray<PlanItem> fixed_items;
    MICRORT_RETURN_IF_ERROR(BuildPlanItems(program, &fixed_items));
    file_plan.FixOffsets(fixed_items);
    MICRORT_RETURN_IF_ERROR(TryPlan(program, fixed_items, 0, memory));
    if (memory->layout.arena_bytes == memory->layout.lower_bound) return Status();
  }
  // Scratch differs with threads and instruction sets, so the file's plan need not be the best one here.
  constexpr int kTimesWithoutFile = 8;  // no plan in the file helps there
  const int steps = DeviceSearchSteps(items.size()) * (program.is_as_graph ? 1 : kTimesWithoutFile);
  return TryPlan(program, items, steps, memory);
}

}  // namespace micrort
