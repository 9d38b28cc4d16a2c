#include "runtime/model/operator_options.h"
#include "runtime/model/verify_steps.h"
#include "runtime/ops/op_traits.h"

namespace micrort {

namespace {

Status VerifyOptions(const schema::Operator& op) {
  const schema::Options expected = OptionsOf(op.code());
  if (expected == schema::Options::NONE) {
    return MICRORT_ERROR(kInvalidModel, "operator code %d is not known", static_cast<int>(op.code()));
  }
  const schema::Options found = op.options_type();
  if (found != expected || op.options() == nullptr) {
    return MICRORT_ERROR(kInvalidModel, "expected options %s, found %s", schema::EnumNameOptions(expected),
                         found != expected ? schema::EnumNameOptions(found) : "none");
  }
  return Status();
}

Status VerifyIndices(Span<const int32_t> indices, int32_t min, uint32_t tensors, const char* what) {
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < min || indices[i] >= static_cast<int64_t>(tensors)) {
      return MICRORT_ERROR(kInvalidModel, "%s %zu: expected a tensor in [%d, %u), found %d", what, i, min,
                           tensors, indices[i]);
    }
  }
  return Status();
}

// The flatbuffers verifier lets lists of 64-bit numbers lie at any multiple of 4.
Status VerifyLongs(const flatbuffers::Vector<int64_t>* list, const char* what) {
  if (list == nullptr || reinterpret_cast<uintptr_t>(list->data()) % alignof(int64_t) == 0) return Status();
  return MICRORT_ERROR(kInvalidModel, "the list '%s' is not aligned", what);
}

Status VerifyAlignment(const schema::Operator& op) {
  if (const auto* slice = op.options_as_SliceOptions()) {
    MICRORT_RETURN_IF_ERROR(VerifyLongs(slice->starts(), "starts"));
    MICRORT_RETURN_IF_ERROR(VerifyLongs(slice->ends(), "ends"));
    return VerifyLongs(slice->steps(), "steps");
  }
  if (const auto* pad = op.options_as_PadOptions()) return VerifyLongs(pad->pads(), "pads");
  const auto* custom = op.options_as_CustomOptions();
  if (custom == nullptr || custom->attributes() == nullptr) return Status();
  for (const schema::CustomAttribute* attribute : *custom->attributes()) {
    MICRORT_RETURN_IF_ERROR(VerifyLongs(attribute->ints(), "ints"));
  }
  return Status();
}

// int4 tensors have two elements in what every other operator would take for one.
bool TakesInt4(schema::OpCode code, size_t input) {
  if (code == schema::OpCode::Gather) return input == 0;
  constexpr uint64_t kOperators = Int4Operators();
  return (kOperators >> static_cast<unsigned>(code) & 1) != 0 && input == kLayerWeights;
}

Status VerifyInt4(const schema::Subgraph& subgraph, const schema::Operator& op) {
  const Span<const int32_t> inputs = Ints(op.inputs());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] < 0) continue;
    const schema::Tensor& tensor = *subgraph.tensors()->Get(static_cast<uint32_t>(inputs[i]));
    if (TypeOf(tensor) != DType::kInt4 || TakesInt4(op.code(), i)) continue;
    return MICRORT_ERROR(kInvalidModel, "input %zu: expected int4 as weights or table only, found '%.100s'",
                         i, Text(tensor.name()));
  }
  return Status();
}

}  // namespace

Status VerifyOperator(VerifyContext& context, const schema::Subgraph& subgraph, const schema::Operator& op) {
  const uint32_t tensors = Count(subgraph.tensors());
  MICRORT_RETURN_IF_ERROR(VerifyOptions(op));
  MICRORT_RETURN_IF_ERROR(VerifyAlignment(op));
  const Span<const int32_t> inputs = Ints(op.inputs());
  const Span<const int32_t> outputs = Ints(op.outputs());
  if (inputs.size() > kMaxOpInputs) {
    return MICRORT_ERROR(kUnsupported, "expected at most %u inputs, found %zu", kMaxOpInputs, inputs.size());
  }
  if (outputs.size() > kMaxOpOutputs) {
    return MICRORT_ERROR(kUnsupported, "expected at most %u outputs, found %zu", kMaxOpOutputs,
                         outputs.size());
  }
  if (outputs.empty()) return MICRORT_ERROR(kInvalidModel, "it has no outputs");
  MICRORT_RETURN_IF_ERROR(context.Spend(inputs.size() + outputs.size()));
  MICRORT_RETURN_IF_ERROR(VerifyIndices(inputs, -1, tensors, "input"));
  MICRORT_RETURN_IF_ERROR(VerifyIndices(outputs, 0, tensors, "output"));
  MICRORT_RETURN_IF_ERROR(VerifyInt4(subgraph, op));
  return VerifyPacked(context, op);
}

}  // namespace micrort
