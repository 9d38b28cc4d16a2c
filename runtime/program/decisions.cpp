#include "runtime/program/decisions.h"

#include <algorithm>

#include "runtime/model/schema_text.h"
#include "runtime/ops/work_control.h"
#include "runtime/plan/check_plan.h"
#include "runtime/plan/lower_bound.h"
#include "runtime/program/plan_items.h"
#include "runtime/program/rewrites/rewrites.h"

namespace micrort {

namespace {

template <typename T>
Span<const T> List(const flatbuffers::Vector<T>* list) {
  return list == nullptr ? Span<const T>() : Span<const T>(list->data(), list->size());
}

// The block of a buffer or, behind these, of the scratch of a node.
uint32_t StatedBlock(const schema::Program& decisions, size_t buffers, size_t item) {
  return item < buffers ? decisions.offsets()->Get(static_cast<uint32_t>(item))
                        : decisions.scratch_offsets()->Get(static_cast<uint32_t>(item - buffers));
}

Status ReadPlaces(const schema::Program& decisions, size_t buffers, Span<const PlanItem> items,
                  ProgramMemory* memory) {
  MICRORT_RETURN_IF_ERROR(memory->offsets.Allocate(items.size()));
  uint64_t all = 0, end = 0, buffer_end = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].bytes == 0) continue;
    const uint64_t offset = uint64_t{StatedBlock(decisions, buffers, i)} * kAlignment;
    all += items[i].bytes;
    end = std::max<uint64_t>(end, offset + items[i].bytes);
    if (i < buffers) buffer_end = end;
    memory->offsets[i] = static_cast<size_t>(offset);
  }
  // No plan takes more memory than everything side by side.
  if (end > all || end > PTRDIFF_MAX) return DoesNotFit();
  memory->layout.arena_bytes = static_cast<size_t>(end);
  memory->buffer_bytes = static_cast<size_t>(buffer_end);
  return Status();
}

Status LayOut(const schema::Program& decisions, WorkControl* control, const Program& program,
              ProgramMemory* memory) {
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildPlanItems(program, &items));
  MICRORT_RETURN_IF_ERROR(ReadPlaces(decisions, program.buffers.size(), items, memory));
  MICRORT_RETURN_IF_ERROR(Spend(control, MultiplyWork(items.size(), items.size())));
  MICRORT_RETURN_IF_ERROR(CheckPlan(items, memory->offsets, memory->layout.arena_bytes));
  return ComputeLowerBound(items, &memory->layout.lower_bound);
}

bool HasRewrites(const schema::Program& decisions) {
  return Count(decisions.stripes()) + Count(decisions.concats()) + Count(decisions.in_place()) != 0;
}

}  // namespace

Status ApplyDecisions(const schema::Program& decisions, CpuFeatures features, const FilePlan& file_plan,
                      WorkControl* control, Program* program, ProgramMemory* memory) {
  MICRORT_RETURN_IF_ERROR(FuseElementwise(features, program));
  MICRORT_RETURN_IF_ERROR(ApplyStripes(List(decisions.stripes()), program));
  MICRORT_RETURN_IF_ERROR(ApplyZeroCopyConcats(List(decisions.concats()), program));
  MICRORT_RETURN_IF_ERROR(ApplyInPlaceCandidates(file_plan, List(decisions.in_place()), program));
  return LayOut(decisions, control, *program, memory);
}

Status ApplyPlaces(const schema::Program& decisions, WorkControl* control, const Program& program,
                   ProgramMemory* memory) {
  return HasRewrites(decisions) ? DoesNotFit() : LayOut(decisions, control, program, memory);
}

}  // namespace micrort
