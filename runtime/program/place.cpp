#include "runtime/program/place.h"

#include <algorithm>
#include <utility>

#include "runtime/plan/check_plan.h"
#include "runtime/plan/lower_bound.h"
#include "runtime/plan/planner.h"
#include "runtime/program/plan_items.h"

namespace micrort {

namespace {

// The end of the last of the first `count` items.
size_t EndOf(Span<const PlanItem> items, Span<const size_t> offsets, size_t count) {
  size_t end = 0;
  for (size_t i = 0; i < count; ++i) {
    if (items[i].bytes != 0) end = std::max(end, offsets[i] + items[i].bytes);
  }
  return end;
}

// Takes the plan it makes if that is smaller than the one in hand.
Status TryPlan(const Program& program, Span<const PlanItem> items, const PlannerOptions& options,
               ProgramMemory* memory) {
  ProgramMemory found;
  MICRORT_RETURN_IF_ERROR(found.offsets.Allocate(items.size()));
  MICRORT_RETURN_IF_ERROR(PlanMemory(items, options, found.offsets, &found.layout));
  MICRORT_RETURN_IF_ERROR(CheckPlan(items, found.offsets, found.layout.arena_bytes));
  if (found.layout.arena_bytes >= memory->layout.arena_bytes) return Status();
  found.buffer_bytes = EndOf(items, found.offsets, program.buffers.size());
  *memory = std::move(found);
  return Status();
}

// Leaves everything where it was, if it fits there: no layout but the former one is larger then.
Status TryFormerPlaces(const Program& program, Span<const PlanItem> items, const ProgramMemory& former,
                       ProgramMemory* memory) {
  const size_t arena_bytes = EndOf(items, former.offsets, items.size());
  if (arena_bytes > former.layout.arena_bytes || !CheckPlan(items, former.offsets, arena_bytes).ok())
    return Status();
  MICRORT_RETURN_IF_ERROR(ComputeLowerBound(items, &memory->layout.lower_bound));
  MICRORT_RETURN_IF_ERROR(memory->offsets.Allocate(items.size()));
  std::copy(former.offsets.begin(), former.offsets.end(), memory->offsets.begin());
  memory->layout.arena_bytes = arena_bytes;
  memory->buffer_bytes = EndOf(items, former.offsets, program.buffers.size());
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
    MICRORT_RETURN_IF_ERROR(TryPlan(program, fixed_items, PlannerOptions(), memory));
    memory->searched_bytes = memory->layout.arena_bytes;
    if (memory->layout.arena_bytes == memory->layout.lower_bound) return Status();
  }
  // Scratch differs with threads and instruction sets, so the file's plan need not be the best one here.
  constexpr int kTimesWithoutFile = 8;  // no plan in the file helps there
  const int steps = DeviceSearchSteps(items.size()) * (program.is_as_graph ? 1 : kTimesWithoutFile);
  MICRORT_RETURN_IF_ERROR(TryPlan(program, items, {steps}, memory));
  memory->searched_bytes = memory->layout.arena_bytes;
  return Status();
}

Status PlaceAsFormerly(const Program& program, const ProgramMemory& former, ProgramMemory* memory) {
  *memory = ProgramMemory();
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildPlanItems(program, &items));
  if (former.offsets.size() != items.size()) return Status();
  MICRORT_RETURN_IF_ERROR(TryFormerPlaces(program, items, former, memory));
  memory->searched_bytes = former.searched_bytes;
  if (!memory->offsets.empty()) return Status();
  memory->layout.arena_bytes = SIZE_MAX;
  MICRORT_RETURN_IF_ERROR(TryPlan(program, items, {0, former.offsets}, memory));
  memory->searched_bytes = former.searched_bytes;
  if (AskForSearch(*memory)) *memory = ProgramMemory();
  return Status();
}

bool AskForSearch(const ProgramMemory& memory) {
  const size_t bytes = memory.layout.arena_bytes;
  return bytes / 5 * 4 > memory.layout.lower_bound && bytes / 2 > memory.searched_bytes;
}

}  // namespace micrort
