// Steps that may write their output over their input at the cost of time: which of them do so.

#include <algorithm>

#include "runtime/plan/in_place_candidates.h"
#include "runtime/program/plan_items.h"
#include "runtime/program/rewrites/rewrites.h"

namespace micrort {

namespace {

class InPlaceCandidates {
 public:
  InPlaceCandidates(const FilePlan& file_plan, Span<const PlanItem> items, Program* program)
      : file_plan_(file_plan), items_(items), program_(*program) {}

  Status Run() {
    size_t count = 0;
    for (const Step& step : program_.steps) count += MayTake(step) ? 1 : 0;
    FixedArray<InPlaceChoice> choices;
    MICRORT_RETURN_IF_ERROR(choices.Allocate(count));
    count = 0;
    for (const Step& step : program_.steps) {
      if (MayTake(step)) choices[count++] = ChoiceOf(step);
    }
    MICRORT_RETURN_IF_ERROR(ChooseInPlace(items_, choices));
    const InPlaceChoice* choice = choices.begin();
    for (Step& step : program_.steps) {
      if (choice == choices.end() || choice->op != step.node) continue;
      if (choice++->taken) MICRORT_RETURN_IF_ERROR(Take(step));
    }
    return Status();
  }

  Status Apply(Span<const uint32_t> nodes) {
    for (const uint32_t node : nodes) {
      const size_t index = FindStep(program_, node);
      if (index == SIZE_MAX || !MayTake(program_.steps[index])) {
        return DoesNotFit();
      }
      MICRORT_RETURN_IF_ERROR(Take(program_.steps[index]));
    }
    return Status();
  }

 private:
  const PlanItem& ItemOf(int32_t view) const {
    return items_[static_cast<size_t>(program_.view(view).buffer)];
  }

  // A step whose scratch the file limits has been planned as the file says.
  bool MayTake(const Step& step) const {
    if (step.removed || step.candidate.input < 0) return false;
    if (step.scratch_limit >= 0 && !file_plan_.HasInPlace(step)) return false;
    const int32_t from = step.inputs[static_cast<size_t>(step.candidate.input)], to = step.outputs[0];
    const PlanItem& x = ItemOf(from);
    return x.bytes != 0 && x.bytes == ItemOf(to).bytes && x.last_op == step.node &&
           IsWhole(program_.view(from)) && IsWhole(program_.view(to)) &&
           std::count(step.inputs.begin(), step.inputs.end(), from) == 1;
  }

  InPlaceChoice ChoiceOf(const Step& step) const {
    const size_t scratch = items_[program_.buffers.size() + static_cast<size_t>(step.node)].bytes;
    const size_t needed = AlignUp(step.candidate.scratch_bytes, kAlignment);
    const size_t more = needed > scratch ? needed - scratch : 0;
    const size_t saved = ItemOf(step.outputs[0]).bytes;
    return {step.node, saved > more ? saved - more : 0, file_plan_.HasInPlace(step)};
  }

  static Status Take(Step& step) {
    const size_t scratch = step.candidate.scratch_bytes;
    if (step.scratch_limit >= 0 && scratch > static_cast<uint64_t>(step.scratch_limit)) {
      return MICRORT_ERROR(
          kOutOfMemory,
          "node '%.100s' (%s): needs %zu bytes of scratch to work in place, the file allows %lld "
          "(mnnconvert --max-arena)",
          step.name, step.type, scratch, static_cast<long long>(step.scratch_limit));
    }
    step.in_place[0] = step.candidate.input;
    step.scratch_bytes = std::max(step.scratch_bytes, scratch);
    return Status();
  }

  const FilePlan& file_plan_;
  const Span<const PlanItem> items_;
  Program& program_;
};

}  // namespace

Status TakeInPlaceCandidates(const FilePlan& file_plan, Span<const PlanItem> items, Program* program) {
  return InPlaceCandidates(file_plan, items, program).Run();
}

Status TakeInPlaceCandidates(const FilePlan& file_plan, Program* program) {
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildPlanItems(*program, &items));
  return TakeInPlaceCandidates(file_plan, items, program);
}

Status ApplyInPlaceCandidates(const FilePlan& file_plan, Span<const uint32_t> nodes, Program* program) {
  if (nodes.empty()) return Status();
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildPlanItems(*program, &items));
  return InPlaceCandidates(file_plan, items, program).Apply(nodes);
}

}  // namespace micrort
