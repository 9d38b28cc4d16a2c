// Operators on optionals. See converter/frontend/onnx/sequences.h.

#include <algorithm>

#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

bool IsOptional(NodeContext& c, ir::ValueId id) { return IsSequence(id) && c.sequences().at(id).is_optional; }

// Without an input, an empty one of the type that an attribute gives.
Status ImportOptional(NodeContext& c) {
  c.Ignore({"type"});
  if (IsOptional(c, c.input(0))) return Invalid("an optional of an optional");
  Sequence sequence;
  sequence.is_optional = true;
  if (c.has_input(0)) sequence.elements.push_back(c.input(0));
  ir::ValueId id = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(c.sequences().Add(std::move(sequence), &id));
  return c.Return(id);
}

// From opset 18 on, what is no optional may be asked too: it has an element, unless it is an absent input.
Status ImportOptionalHasElement(NodeContext& c) {
  bool has = c.has_input(0);
  if (IsOptional(c, c.input(0))) has = !c.sequences().at(c.input(0)).elements.empty();
  return c.Return(c.build.Cast(c.build.Scalar(has ? 1 : 0), DType::kBool));
}

Status ImportOptionalGetElement(NodeContext& c) {
  if (!IsOptional(c, c.input(0))) return c.Return(c.input(0));
  const Sequence& sequence = c.sequences().at(c.input(0));
  if (sequence.elements.empty()) return Invalid("the optional is empty");
  return c.Return(sequence.elements[0]);
}

constexpr OpSupport kOptionalSupport =
    Types(kAllTypes).Without("elements that are not known before the model runs");

}  // namespace

const ImporterList OptionalImporters = {
    {"Optional", 0, 1, ImportOptional, kOptionalSupport},
    {"OptionalGetElement", 1, 1, ImportOptionalGetElement, kOptionalSupport},
    {"OptionalHasElement", 0, 1, ImportOptionalHasElement, kOptionalSupport},
};

bool TakesSequence(const std::string& op, size_t input) {
  static constexpr const char* kFirst[] = {"ConcatFromSequence", "Identity",           "Optional",
                                           "OptionalGetElement", "OptionalHasElement", "SequenceAt",
                                           "SequenceErase",      "SequenceInsert",     "SequenceLength"};
  if (op == "SequenceMap") return true;
  return input == 0 && std::find(std::begin(kFirst), std::end(kFirst), op) != std::end(kFirst);
}

}  // namespace micrort::frontend::onnx
