// Operators on sequences and optionals. See converter/frontend/onnx/sequences.h.

#include <algorithm>
#include <limits>

#include "converter/frontend/onnx/graph_importer.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using Elements = std::vector<ir::ValueId>;

constexpr int64_t kMaxParts = 65536;

Status ReturnSequence(NodeContext& c, Elements elements) {
  ir::ValueId id = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(c.sequences().Add({false, std::move(elements)}, &id));
  return c.Return(id);
}

Result<Elements> ReadSequence(NodeContext& c) {
  if (!IsSequence(c.input(0)) || c.sequences().at(c.input(0)).is_optional)
    return Invalid("input 0 is no sequence");
  return c.sequences().at(c.input(0)).elements;
}

// Input i, if present, as an index into `count` places; negative ones count from the end.
Result<size_t> ReadPosition(NodeContext& c, size_t i, size_t count, size_t otherwise) {
  if (!c.has_input(i)) return otherwise;
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> position, c.ConstantIntegers(i));
  const auto n = static_cast<int64_t>(count);
  if (position.size() != 1 || position[0] < -n || position[0] >= n)
    return Invalid("position {}, of {}", position.empty() ? 0LL : static_cast<long long>(position[0]), n);
  return static_cast<size_t>(position[0] < 0 ? position[0] + n : position[0]);
}

Status ImportSequenceEmpty(NodeContext& c) {
  c.Ignore({"dtype"});
  return ReturnSequence(c, {});
}

Status ImportSequenceConstruct(NodeContext& c) {
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (!c.has_input(i)) return Invalid("input {} is absent", i);
  }
  return ReturnSequence(c, c.inputs());
}

Status ImportSequenceInsert(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Elements elements, ReadSequence(c));
  size_t position = 0;
  // -1 is before the last element, and only the count itself behind it.
  std::vector<int64_t> given;
  const auto n = static_cast<int64_t>(elements.size());
  const bool at_end = !c.has_input(2) || (ir::IntegersOf(c.x(2), &given) && given == std::vector<int64_t>{n});
  if (at_end) {
    position = elements.size();
  } else {
    MICRORT_ASSIGN_OR_RETURN(position, ReadPosition(c, 2, elements.size(), 0));
  }
  elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(position), c.input(1));
  return ReturnSequence(c, std::move(elements));
}

Status ImportSequenceErase(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Elements elements, ReadSequence(c));
  if (elements.empty()) return Invalid("the sequence is empty");
  MICRORT_ASSIGN_OR_RETURN(size_t position, ReadPosition(c, 1, elements.size(), elements.size() - 1));
  elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(position));
  return ReturnSequence(c, std::move(elements));
}

// The elements side by side along a new axis, which needs one shape for all of them.
ir::ValueId Stacked(NodeContext& c, const Elements& elements, int axis) {
  Elements parts;
  for (ir::ValueId id : elements) parts.push_back(c.build.InsertDim(id, axis));
  return c.build.Concat(parts, axis);
}

bool HaveOneRank(const NodeContext& c, const Elements& elements) {
  return std::all_of(elements.begin(), elements.end(),
                     [&](ir::ValueId id) { return c.value(id).rank() == c.value(elements[0]).rank(); });
}

bool HaveOneShape(const NodeContext& c, const Elements& elements) {
  return std::all_of(elements.begin(), elements.end(), [&](ir::ValueId id) {
    return c.value(id).is_static() && c.value(id).shape == c.value(elements[0]).shape;
  });
}

// A position that the run decides picks from elements of one shape.
Status ImportSequenceAt(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Elements elements, ReadSequence(c));
  if (elements.empty()) return Invalid("the sequence is empty");
  if (!c.x(1).is_constant() && HaveOneShape(c, elements)) {
    const ir::ValueId position = c.build.Reshape(c.input(1), {});
    return c.Return(c.build.Gather(Stacked(c, elements, 0), position, 0));
  }
  MICRORT_ASSIGN_OR_RETURN(size_t position, ReadPosition(c, 1, elements.size(), 0));
  return c.Return(elements[position]);
}

Status ImportSequenceLength(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Elements elements, ReadSequence(c));
  return c.Return(c.build.Integer(static_cast<int64_t>(elements.size())));
}

Status ImportConcatFromSequence(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Elements elements, ReadSequence(c));
  if (elements.empty()) return Invalid("the sequence is empty");
  if (!HaveOneRank(c, elements)) return Invalid("the elements have different ranks");
  const bool new_axis = c.Int("new_axis", 0) != 0;
  MICRORT_ASSIGN_OR_RETURN(const int axis,
                           c.Axis(c.Int("axis", 0), c.value(elements[0]).rank() + (new_axis ? 1 : 0)));
  return c.Return(new_axis ? Stacked(c, elements, axis) : c.build.Concat(elements, axis));
}

// The sizes of the parts: input 1 lists them or is the size of each but the last; without it, they are 1.
Result<std::vector<int64_t>> ReadParts(NodeContext& c, int64_t size) {
  std::vector<int64_t> parts;
  std::vector<int64_t> given = {1};
  if (c.has_input(1)) MICRORT_RETURN_IF_ERROR(Take(c.ConstantIntegers(1), &given));
  const bool is_list = c.has_input(1) && c.x(1).rank() == 1;
  if (is_list) {
    return given;
  }
  if (size == ir::kDynamic) return Unsupported("the number of parts is not known");
  if (given.size() != 1 || given[0] < 1 || (size - 1) / given[0] >= kMaxParts)
    return Invalid("parts of {} of {} elements", given.empty() ? 0LL : static_cast<long long>(given[0]),
                   size);
  for (int64_t begin = 0; begin < size; begin += given[0]) parts.push_back(std::min(given[0], size - begin));
  return parts;
}

// As many parts as there are sizes, which only a run knows.
Status SplitByComputedSizes(NodeContext& c, int axis) {
  if (c.x(1).rank() != 1 || !c.x(1).is_static() || c.x(1).elements() > kMaxParts)
    return Unsupported("the number of parts is not known");
  const ir::ValueId sizes = c.build.As(c.input(1), DType::kInt64);
  Elements elements;
  for (int64_t i = 0; i < c.x(1).elements() && c.build.status().ok(); ++i)
    elements.push_back(PartBySizes(c, c.input(0), sizes, axis, static_cast<size_t>(i)));
  MICRORT_RETURN_IF_ERROR(c.build.status());
  return ReturnSequence(c, std::move(elements));
}

Status ImportSplitToSequence(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", 0), c.x().rank()));
  const bool keep_dim = c.Int("keepdims", 1) != 0 || c.has_input(1);
  if (c.has_input(1) && !c.x(1).is_constant()) return SplitByComputedSizes(c, axis);
  const int64_t size = c.x().shape[static_cast<size_t>(axis)];
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> parts, ReadParts(c, size));
  Elements elements;
  int64_t begin = 0;
  for (int64_t part : parts) {
    if (part < 0 || part > std::numeric_limits<int32_t>::max()) return Invalid("a part of {} elements", part);
    if (size != ir::kDynamic && part > size - begin)
      return Invalid("a part of {} elements, of {}", part, size);
    const ir::ValueId slice = c.build.Slice(c.input(0), axis, begin, begin + part);
    elements.push_back(keep_dim ? slice : c.build.DropDim(slice, axis));
    begin += part;
  }
  if (size != ir::kDynamic && begin != size) return Invalid("the parts have {} of {} elements", begin, size);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  return ReturnSequence(c, std::move(elements));
}

// The body's inputs of one round: elements of sequences, and tensors as they are.
Status InputsOfRound(NodeContext& c, size_t round, size_t rounds, Elements* inputs) {
  for (ir::ValueId id : c.inputs()) {
    if (!IsSequence(id)) {
      inputs->push_back(id);
      continue;
    }
    const Sequence& sequence = c.sequences().at(id);
    if (sequence.is_optional || sequence.elements.size() != rounds)
      return Invalid("the sequences have different lengths");
    inputs->push_back(sequence.elements[round]);
  }
  return Status();
}

// Once for every element of input 0.
Status ImportSequenceMap(NodeContext& c) {
  const ::onnx::GraphProto* body = c.Graph("body");
  if (body == nullptr) return Invalid("there is no body");
  MICRORT_ASSIGN_OR_RETURN(Elements first, ReadSequence(c));
  std::vector<Elements> results(c.output_count());
  for (size_t round = 0; round < first.size(); ++round) {
    Elements inputs, outputs;
    MICRORT_RETURN_IF_ERROR(InputsOfRound(c, round, first.size(), &inputs));
    MICRORT_RETURN_IF_ERROR(c.graphs->Inline(*body, inputs, &outputs));
    if (outputs.size() < results.size())
      return Invalid("the body has {} outputs, the node {}", outputs.size(), results.size());
    for (size_t i = 0; i < results.size(); ++i) {
      if (IsSequence(outputs[i])) return Invalid("output {} of the body is a sequence or an optional", i);
      results[i].push_back(outputs[i]);
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    ir::ValueId id = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(c.sequences().Add({false, std::move(results[i])}, &id));
    c.SetOutput(i, id);
  }
  return c.build.status();
}

constexpr char kUnknownLength[] = "lengths and positions that are not known before the model runs";
constexpr OpSupport kSequenceSupport = Types(kAllTypes).Without(kUnknownLength);

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

bool TakesSequence(const std::string& op, size_t input) {
  static constexpr const char* kFirst[] = {"ConcatFromSequence", "Identity",           "Optional",
                                           "OptionalGetElement", "OptionalHasElement", "SequenceAt",
                                           "SequenceErase",      "SequenceInsert",     "SequenceLength"};
  if (op == "SequenceMap") return true;
  return input == 0 && std::find(std::begin(kFirst), std::end(kFirst), op) != std::end(kFirst);
}

const ImporterList SequenceImporters = {
    {"ConcatFromSequence", 1, 1, ImportConcatFromSequence, kSequenceSupport},
    {"SequenceAt", 2, 2, ImportSequenceAt, kSequenceSupport},
    {"SequenceConstruct", 1, -1, ImportSequenceConstruct, kSequenceSupport},
    {"SequenceEmpty", 0, 0, ImportSequenceEmpty, kSequenceSupport},
    {"SequenceErase", 1, 2, ImportSequenceErase, kSequenceSupport},
    {"SequenceInsert", 2, 3, ImportSequenceInsert, kSequenceSupport},
    {"SequenceLength", 1, 1, ImportSequenceLength, kSequenceSupport},
    {"SequenceMap", 1, -1, ImportSequenceMap, kSequenceSupport},
    {"SplitToSequence", 1, 2, ImportSplitToSequence, kSequenceSupport},
    {"Optional", 0, 1, ImportOptional, kOptionalSupport},
    {"OptionalGetElement", 1, 1, ImportOptionalGetElement, kOptionalSupport},
    {"OptionalHasElement", 0, 1, ImportOptionalHasElement, kOptionalSupport},
};

}  // namespace micrort::frontend::onnx
