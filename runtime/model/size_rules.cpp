#include "runtime/model/size_rules.h"

#include "kernels/base/checked_math.h"
#include "runtime/model/schema_text.h"

namespace micrort {

namespace {

using schema::SizeStep;

struct RuleStep {
  SizeStep code;
  int64_t operand;

  SizedDim dim() const {
    return {static_cast<uint32_t>(operand / kMaxRank), static_cast<int>(operand % kMaxRank)};
  }
};

uint32_t StepCount(const SizeSteps& steps) { return steps.size() / 2; }

RuleStep StepAt(const SizeSteps& steps, uint32_t i) {
  return {static_cast<SizeStep>(steps.Get(2 * i)), steps.Get(2 * i + 1)};
}

bool Pushes(SizeStep code) { return code == SizeStep::Number || code == SizeStep::Dim; }

bool IsBinary(SizeStep code) {
  return code == SizeStep::Add || code == SizeStep::Multiply || code == SizeStep::FloorDivide ||
         code == SizeStep::Broadcast;
}

bool IsKnown(int64_t code) {
  return code >= static_cast<int64_t>(SizeStep::MIN) && code <= static_cast<int64_t>(SizeStep::MAX);
}

bool Exists(const RuleStep& step, Span<const Shape> inputs) {
  return step.operand >= 0 && step.operand / kMaxRank < static_cast<int64_t>(inputs.size()) &&
         step.dim().dim < inputs[step.dim().input].rank;
}

bool FloorDivide(int64_t a, int64_t b, int64_t* result) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  *result = a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  return true;
}

bool Combine(SizeStep code, int64_t a, int64_t b, int64_t* result) {
  if (code == SizeStep::Add) return CheckedAdd(a, b, result);
  if (code == SizeStep::Multiply) return CheckedMul(a, b, result);
  if (code == SizeStep::FloorDivide) return FloorDivide(a, b, result);
  *result = a == 1 ? b : a;
  return a == b || a == 1 || b == 1;
}

int64_t Change(SizeStep code, int64_t x) {
  if (code == SizeStep::PositivePart) return x > 0 ? x : 0;
  return code == SizeStep::IsZero ? x == 0 : x >= 0;
}

}  // namespace

const SizeRuleList* SizeRulesOf(const schema::Subgraph& graph) {
  if (Count(graph.size_rules()) == 0) return nullptr;
  return flatbuffers::GetRoot<schema::SizeRules>(graph.size_rules()->data())->rules();
}

bool IsDim(const SizeSteps& steps, SizedDim* dim) {
  if (StepCount(steps) != 1 || StepAt(steps, 0).code != SizeStep::Dim) return false;
  *dim = StepAt(steps, 0).dim();
  return true;
}

bool NextDim(const SizeSteps& steps, uint32_t* from, SizedDim* dim) {
  while (*from < StepCount(steps)) {
    const RuleStep step = StepAt(steps, (*from)++);
    if (step.code != SizeStep::Dim) continue;
    *dim = step.dim();
    return true;
  }
  return false;
}

bool Reads(const SizeSteps& steps, const SizedDim& dim) {
  SizedDim at = {};
  for (uint32_t from = 0; NextDim(steps, &from, &at);) {
    if (at.input == dim.input && at.dim == dim.dim) return true;
  }
  return false;
}

Status CheckSizeSteps(const SizeSteps* steps, Span<const Shape> inputs) {
  const uint32_t length = Count(steps);
  if (length == 0 || length % 2 != 0 || length > kMaxSizeSteps) {
    return MICRORT_ERROR(kInvalidModel, "expected pairs, at most %u of them, found %u numbers",
                         kMaxSizeSteps / 2, length);
  }
  int depth = 0;
  for (uint32_t i = 0; i < StepCount(*steps); ++i) {
    if (!IsKnown(steps->Get(2 * i))) {
      return MICRORT_ERROR(kInvalidModel, "step %u: expected a known step, found %lld", i,
                           static_cast<long long>(steps->Get(2 * i)));
    }
    const RuleStep step = StepAt(*steps, i);
    if (step.code == SizeStep::Dim && !Exists(step, inputs)) {
      return MICRORT_ERROR(kInvalidModel, "step %u: expected a dimension of an input, found %lld", i,
                           static_cast<long long>(step.operand));
    }
    const int needed = Pushes(step.code) ? 0 : IsBinary(step.code) ? 2 : 1;
    if (depth < needed)
      return MICRORT_ERROR(kInvalidModel, "step %u: expected %d numbers before it", i, needed);
    depth += 1 - needed;
    if (depth > kMaxSizeDepth) {
      return MICRORT_ERROR(kInvalidModel, "step %u: expected at most %d numbers", i, kMaxSizeDepth);
    }
  }
  if (depth != 1) return MICRORT_ERROR(kInvalidModel, "expected one number in the end, found %d", depth);
  return Status();
}

bool ComputeSize(const SizeSteps& steps, Span<const Shape> inputs, int64_t* size) {
  int64_t stack[kMaxSizeDepth] = {};
  int top = -1;
  for (uint32_t i = 0; i < StepCount(steps); ++i) {
    const RuleStep step = StepAt(steps, i);
    if (step.code == SizeStep::Number) {
      stack[++top] = step.operand;
    } else if (step.code == SizeStep::Dim) {
      stack[++top] = inputs[step.dim().input][step.dim().dim];
    } else if (IsBinary(step.code)) {
      --top;
      if (!Combine(step.code, stack[top], stack[top + 1], &stack[top])) return false;
    } else {
      stack[top] = Change(step.code, stack[top]);
    }
  }
  *size = stack[0];
  return true;
}

}  // namespace micrort
