#include "kernels/base/fixed_array.h"
#include "runtime/model/size_rules.h"
#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

constexpr uint32_t kMaxSizeRules = 256;

Status VerifySizeRule(VerifyContext& context, const schema::SizeRule& rule, Span<const Shape> inputs) {
  MICRORT_RETURN_IF_ERROR(context.Spend(uint64_t{Count(rule.left())} + Count(rule.right())));
  MICRORT_RETURN_IF_ERROR(CheckSizeSteps(rule.left(), inputs).WithPrefix("left side"));
  return CheckSizeSteps(rule.right(), inputs).WithPrefix("right side");
}

}  // namespace

Status VerifySizeRules(VerifyContext& context, const schema::Subgraph& subgraph) {
  const uint32_t rules = Count(subgraph.size_rules());
  if (rules == 0) return Status();
  if (&subgraph != context.model->subgraphs()->Get(0))
    return MICRORT_ERROR(kInvalidModel, "expected rules about sizes of the first subgraph only");
  if (rules > kMaxSizeRules) {
    return MICRORT_ERROR(kUnsupported, "expected at most %u rules about sizes, found %u", kMaxSizeRules,
                         rules);
  }
  FixedArray<Shape> inputs;
  MICRORT_RETURN_IF_ERROR(inputs.Allocate(CallerInputs(subgraph).size()));
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = ShapeOf(InputTensor(subgraph, i));
  for (uint32_t i = 0; i < rules; ++i) {
    const schema::SizeRule& rule = *subgraph.size_rules()->Get(i);
    Status s = VerifySizeRule(context, rule, {inputs.data(), inputs.size()});
    if (!s.ok()) return s.WithPrefix("size rule %u ('%.100s')", i, Text(rule.text()));
  }
  return Status();
}

}  // namespace micrort
