#include "kernels/base/fixed_array.h"
#include "runtime/model/size_rules.h"
#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

Status VerifySizeRule(VerifyContext& context, const schema::SizeRule& rule, Span<const Shape> inputs) {
  MICRORT_RETURN_IF_ERROR(context.Spend(uint64_t{Count(rule.left())} + Count(rule.right())));
  MICRORT_RETURN_IF_ERROR(CheckSizeSteps(rule.left(), inputs).WithPrefix("left side"));
  return CheckSizeSteps(rule.right(), inputs).WithPrefix("right side");
}

// Offsets, lengths and alignment inside.
Status VerifyBytes(const flatbuffers::Vector<uint8_t>& bytes) {
  constexpr size_t kRulesAlignment = 8;
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  const bool is_aligned = reinterpret_cast<uintptr_t>(bytes.data()) % kRulesAlignment == 0;
  if (is_aligned && verifier.VerifyBuffer<schema::SizeRules>(nullptr)) return Status();
  return MICRORT_ERROR(kInvalidModel, "rules about sizes: the %u bytes are damaged", bytes.size());
}

}  // namespace

Status VerifySizeRules(VerifyContext& context, const schema::Subgraph& subgraph) {
  if (Count(subgraph.size_rules()) == 0) return Status();
  if (&subgraph != context.model->subgraphs()->Get(0))
    return MICRORT_ERROR(kInvalidModel, "expected rules about sizes of the first subgraph only");
  MICRORT_RETURN_IF_ERROR(VerifyBytes(*subgraph.size_rules()));
  const uint32_t rules = Count(SizeRulesOf(subgraph));
  if (rules > kMaxSizeRules) {
    return MICRORT_ERROR(kUnsupported, "expected at most %u rules about sizes, found %u", kMaxSizeRules,
                         rules);
  }
  FixedArray<Shape> inputs;
  MICRORT_RETURN_IF_ERROR(inputs.Allocate(CallerInputs(subgraph).size()));
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = ShapeOf(InputTensor(subgraph, i));
  for (uint32_t i = 0; i < rules; ++i) {
    const schema::SizeRule& rule = *SizeRulesOf(subgraph)->Get(i);
    Status s = VerifySizeRule(context, rule, {inputs.data(), inputs.size()});
    if (!s.ok()) return s.WithPrefix("size rule %u ('%.100s')", i, Text(rule.text()));
  }
  return Status();
}

}  // namespace micrort
