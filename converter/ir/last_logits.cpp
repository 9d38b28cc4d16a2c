#include "converter/ir/last_logits.h"

#include <algorithm>
#include <optional>

#include "converter/ir/build.h"
#include "converter/ir/infer.h"

namespace micrort::ir {
namespace {

using schema::OpCode;

constexpr char kLastFlag[] = "--last-logits";
constexpr char kLogits[] = "logits";

class Cutter {
 public:
  Cutter(Graph* graph, std::vector<std::string>* notes)
      : graph_(*graph), notes_(*notes), uses_(graph->ComputeUses()) {}

  Status Run() {
    MICRORT_RETURN_IF_ERROR(FindOutput());
    if (graph_.value(output_).dim(Positions()) == 1) return Status();
    Node* reader = nullptr;  // of the value that is cut; null: the output itself is
    ValueId cut = output_;
    bool saves_product = false;
    while (const std::optional<size_t> operand = RowsOf(cut)) {
      reader = uses_.producer[static_cast<size_t>(cut)];
      saves_product = saves_product || reader->code == OpCode::MatMul;
      cut = reader->inputs[*operand];
    }
    if (!saves_product) NoteWhole(cut);
    Cut(cut, reader);
    if (!graph_.Sort()) return MICRORT_ERROR(kInternal, "%s: the graph has a cycle", kLastFlag);
    return Infer();
  }

 private:
  Status FindOutput() {
    for (const ValueId id : graph_.outputs) {
      const Value& value = graph_.value(id);
      if (value.name != kLogits) continue;
      if (value.rank() != 3 || !IsFloat(value.dtype)) break;
      output_ = id;
      return Status();
    }
    return MICRORT_ERROR(
        kUnsupported, "%s: expected a float output '%s' of shape [batch, positions, vocabulary], found none",
        kLastFlag, kLogits);
  }
  // The output is right, but nothing that takes long is saved.
  void NoteWhole(ValueId cut) {
    const Node* node = uses_.producer[static_cast<size_t>(cut)];
    const std::string what = node != nullptr ? Describe(*node) : "'" + graph_.value(cut).name + "'";
    notes_.push_back(
        std::string(kLastFlag) + ": " + what +
        " and all before it compute every position; only a product with weights, and element-wise "
        "functions after it, compute the last position alone");
  }
  size_t Positions() const { return static_cast<size_t>(graph_.value(output_).rank()) - 2; }

  // Which input of the value's producer has the same positions, each of which decides its own results;
  // nothing where there is no such, or somebody else reads the value.
  std::optional<size_t> RowsOf(ValueId id) const {
    const Node* node = uses_.producer[static_cast<size_t>(id)];
    const bool is_shared = id != output_ && uses_.single_consumer(id) == nullptr;
    if (node == nullptr || node->outputs.size() != 1 || is_shared) return std::nullopt;
    const auto is_alike = [&](size_t i) {
      return graph_.value(node->inputs[i]).rank() == graph_.value(id).rank() && !IsConstant(node->inputs[i]);
    };
    switch (node->code) {
      case OpCode::Cast:
      case OpCode::Unary:
      case OpCode::Quantize:
      case OpCode::Dequantize:
        return is_alike(0) ? std::optional<size_t>(0) : std::nullopt;
      case OpCode::MatMul:
        return is_alike(0) && AreWeights(*node, 1) ? std::optional<size_t>(0) : std::nullopt;
      case OpCode::Binary:
        if (is_alike(0) && AreWeights(*node, 1)) return 0;
        return is_alike(1) && IsWeight(node->inputs[0]) ? std::optional<size_t>(1) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  bool AreWeights(const Node& node, size_t from) const {
    return std::all_of(node.inputs.begin() + static_cast<std::ptrdiff_t>(from), node.inputs.end(),
                       [this](ValueId id) { return id == kNoValue || IsWeight(id); });
  }
  // The same for all positions.
  bool IsWeight(ValueId id) const { return IsConstant(id) && graph_.value(id).rank() <= 2 && !HasRows(id); }
  // Whether an element-wise operand has a row for each position.
  bool HasRows(ValueId id) const {
    const std::vector<Node*>& readers = uses_.consumers[static_cast<size_t>(id)];
    const Value& value = graph_.value(id);
    return value.rank() == 2 && value.dim(0) != 1 &&
           std::any_of(readers.begin(), readers.end(),
                       [](const Node* n) { return n->code == OpCode::Binary; });
  }
  // Whether it follows from constants alone: a table may be transposed or dequantized.
  bool IsConstant(ValueId id, int depth = 0) const {
    constexpr int kMostDepth = 8;
    const Node* node = uses_.producer[static_cast<size_t>(id)];
    if (node == nullptr) return graph_.value(id).is_constant();
    const bool may_be = depth < kMostDepth && node->bodies.empty() && node->code != OpCode::Random;
    return may_be && std::all_of(node->inputs.begin(), node->inputs.end(), [&](ValueId input) {
             return input == kNoValue || IsConstant(input, depth + 1);
           });
  }

  void Cut(ValueId whole, Node* reader) {
    const Node* producer = uses_.producer[static_cast<size_t>(whole)];
    Builder build(graph_, producer != nullptr ? OriginOf(*producer) : Origin{kLogits, "", 0}, kLogits);
    const ValueId last = build.Slice(whole, static_cast<int>(Positions()), -1, INT64_MAX);
    if (reader != nullptr) {
      std::replace(reader->inputs.begin(), reader->inputs.end(), whole, last);
      return;
    }
    std::replace(graph_.outputs.begin(), graph_.outputs.end(), whole, last);
    graph_.value(last).name.swap(graph_.value(whole).name);
  }

  Status Infer() {
    ShapeInference inference(graph_);
    for (const auto& node : graph_.nodes) {
      if (Status s = inference.Visit(*node); !s.ok())
        return s.WithPrefix("%s: %s", kLastFlag, Describe(*node).c_str());
    }
    return Status();
  }

  Graph& graph_;
  std::vector<std::string>& notes_;
  const Graph::Uses uses_;
  ValueId output_ = kNoValue;
};

}  // namespace

Status LastLogits(Graph* graph, std::vector<std::string>* notes) { return Cutter(graph, notes).Run(); }

}  // namespace micrort::ir
