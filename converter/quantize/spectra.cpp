#include "converter/quantize/spectra.h"

#include <set>

#include "converter/ir/op_facts.h"
#include "converter/passes/match.h"
#include "converter/quantize/layer.h"

namespace micrort::quantize {
namespace {

bool IsRoot(const ir::Node& node) { return passes::IsUnary(node, schema::UnaryKind::Sqrt); }
bool IsLogarithm(const ir::Node& node) { return passes::IsUnary(node, schema::UnaryKind::Log); }

// What lies between the outputs of filters and the root or logarithm of their power.
bool MakesPower(const ir::Node& node) {
  using schema::BinaryKind;
  return passes::IsBinary(node, BinaryKind::Add) || passes::IsBinary(node, BinaryKind::Mul) ||
         passes::IsBinary(node, BinaryKind::Pow) || passes::IsBinary(node, BinaryKind::Max) ||
         passes::IsUnary(node, schema::UnaryKind::Abs) || passes::IsUnary(node, schema::UnaryKind::Clip);
}

class Finder {
 public:
  explicit Finder(const ir::Graph& graph) : graph_(graph), uses_(graph.ComputeUses()) {}

  Spectra Find() {
    for (const auto& node : graph_.nodes) {
      if (!IsRoot(*node) && !IsLogarithm(*node)) continue;
      SearchBackwards(node->inputs[0], IsRoot(*node) ? "square root" : "logarithm");
      if (IsRoot(*node)) SearchForwards(node->outputs[0]);
    }
    return std::move(found_);
  }

 private:
  bool IsQuantizable(const ir::Node& node) const { return DescribeLayer(graph_, node).has_value(); }

  bool Moves(const ir::Node& node) const { return ir::MovementOf(graph_, node) != ir::Movement::kNone; }

  void SearchBackwards(ir::ValueId id, const char* function) {
    const ir::Node* node = id == ir::kNoValue ? nullptr : uses_.producer[static_cast<size_t>(id)];
    if (node == nullptr || !seen_.insert({node, function}).second) return;
    if (IsQuantizable(*node)) {
      found_.emplace(
          node, std::string("half: its outputs go into a ") + function + ", which depends on the small ones");
    } else if (Moves(*node) || MakesPower(*node)) {
      for (const ir::ValueId input : node->inputs) SearchBackwards(input, function);
    }
  }

  void SearchForwards(ir::ValueId id) {
    for (const ir::Node* reader : uses_.consumers[static_cast<size_t>(id)]) {
      if (!seen_.insert({reader, "reader"}).second) continue;
      if (IsQuantizable(*reader) && reader->inputs[Layer::kX] == id) {
        found_.emplace(reader, "half: it reads a square root, whose values lie decades apart");
      } else if (Moves(*reader)) {
        SearchForwards(reader->outputs[0]);
      }
    }
  }

  const ir::Graph& graph_;
  const ir::Graph::Uses uses_;
  std::set<std::pair<const ir::Node*, std::string>> seen_;  // by what is searched from
  Spectra found_;
};

}  // namespace

Spectra LayersAroundSpectra(const ir::Graph& graph) { return Finder(graph).Find(); }

}  // namespace micrort::quantize
