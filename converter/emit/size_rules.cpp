#include "converter/emit/size_rules.h"

#include <algorithm>
#include <optional>

#include "converter/ir/size/input_sizes.h"
#include "kernels/base/shape.h"
#include "runtime/model/size_rules.h"

namespace micrort::emit {
namespace {

using ir::size::Atom;
using ir::size::AtomKind;
using ir::size::Expr;
using ir::size::Symbol;
using schema::SizeStep;

// Postfix: what comes to be on top of the stack is the expression.
class Writer {
 public:
  Writer(const ir::Graph& graph, const ir::size::InputSizes& sizes) : graph_(graph), sizes_(sizes) {}

  // False if it cannot be said.
  bool Write(const Expr& e) {
    Push(SizeStep::Number, 0);
    for (const Expr::Term& term : e.terms()) {
      Push(SizeStep::Number, term.coefficient);
      for (const auto& factor : term.factors) {
        WriteAtom(*factor);
        Combine(SizeStep::Multiply);
      }
      Combine(SizeStep::Add);
    }
    return fits_;
  }
  // A dimension by itself.
  bool WriteDim(Symbol symbol) {
    const std::optional<int64_t> place = PlaceOf(symbol);
    fits_ = fits_ && place.has_value();
    if (place) Push(SizeStep::Dim, *place);
    return fits_;
  }

  std::vector<int64_t> Take() { return std::move(steps_); }

 private:
  void WriteAtom(const Atom& atom) {
    switch (atom.kind) {
      case AtomKind::kSymbol:
        WriteDim(atom.symbol);
        return;
      case AtomKind::kFloorDiv:
        return WriteAll(atom, SizeStep::FloorDivide);
      case AtomKind::kPositivePart:
        return WriteAll(atom, SizeStep::PositivePart);
      case AtomKind::kIsZero:
        return WriteAll(atom, SizeStep::IsZero);
      case AtomKind::kIsNonNegative:
        return WriteAll(atom, SizeStep::IsNonNegative);
      case AtomKind::kBroadcast:
        return WriteAll(atom, SizeStep::Broadcast);
    }
  }

  void WriteAll(const Atom& atom, SizeStep step) {
    for (size_t i = 0; i < atom.arguments.size(); ++i) {
      Write(atom.arguments[i]);
      if (i > 0) Combine(step);
    }
    if (atom.arguments.size() == 1) Append(step, 0);
  }

  void Append(SizeStep step, int64_t operand) {
    steps_.push_back(static_cast<int64_t>(step));
    steps_.push_back(operand);
    fits_ = fits_ && steps_.size() <= kMaxSizeSteps;
  }
  void Push(SizeStep step, int64_t operand) {
    Append(step, operand);
    fits_ = fits_ && ++depth_ <= kMaxSizeDepth;
  }
  void Combine(SizeStep step) {
    Append(step, 0);
    --depth_;
  }

  // Layouts that were chosen since have dimensions in another order.
  std::optional<int64_t> PlaceOf(Symbol symbol) const {
    const ir::size::InputDim& at = sizes_.places.at(symbol);
    for (size_t i = 0; i < graph_.caller_inputs(); ++i) {
      const ir::Value& input = graph_.value(graph_.inputs[i]);
      if (input.name != at.input) continue;
      const auto place = std::find(input.source_order.begin(), input.source_order.end(), at.dim);
      const int64_t dim = input.source_order.empty() ? at.dim : place - input.source_order.begin();
      if (dim >= input.rank()) return std::nullopt;
      return static_cast<int64_t>(i) * kMaxRank + dim;
    }
    return std::nullopt;
  }

  const ir::Graph& graph_;
  const ir::size::InputSizes& sizes_;
  std::vector<int64_t> steps_;
  int depth_ = 0;
  bool fits_ = true;
};

}  // namespace

std::vector<uint8_t> MakeSizeRules(const ir::Graph& graph) {
  schema::SizeRulesT list;
  auto& rules = list.rules;
  if (graph.input_sizes == nullptr) return {};
  for (const ir::size::SizeRule& rule : graph.input_sizes->rules) {
    if (rules.size() == kMaxSizeRules) break;
    Writer left(graph, *graph.input_sizes), right(graph, *graph.input_sizes);
    const std::optional<Symbol> symbol = rule.left.symbol();
    if (!(symbol ? left.WriteDim(*symbol) : left.Write(rule.left)) || !right.Write(rule.right)) continue;
    rules.push_back(std::make_unique<schema::SizeRuleT>());
    rules.back()->left = left.Take();
    rules.back()->right = right.Take();
    rules.back()->text = rule.text;
    rules.back()->node = rule.node;
  }
  if (rules.empty()) return {};
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(schema::SizeRules::Pack(builder, &list));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

}  // namespace micrort::emit
