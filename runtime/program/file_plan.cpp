#include "runtime/program/file_plan.h"

#include "schema/micrort_generated.h"

namespace micrort {

int64_t FilePlan::Offset(int32_t view) const { return plan_->offsets()->Get(static_cast<uint32_t>(view)); }

bool FilePlan::HasInPlace(const Step& step) const {
  if (plan_ == nullptr || !program_.is_as_graph) return false;
  const int64_t x = Offset(step.inputs[0]);
  return x >= 0 && x == Offset(step.outputs[0]);
}

bool FilePlan::Fits() const {
  if (plan_ == nullptr || !program_.is_as_graph) return false;
  for (const Step& step : program_.steps) {
    if (step.call == CallKind::kConv && step.in_place[0] < 0 && HasInPlace(step)) return false;
  }
  return true;
}

void FilePlan::FixOffsets(Span<PlanItem> items) const {
  for (size_t b = 0; b < program_.buffers.size(); ++b) {
    if (items[b].bytes != 0) items[b].fixed_offset = Offset(static_cast<int32_t>(b));
  }
}

}  // namespace micrort
