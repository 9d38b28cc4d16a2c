#include "converter/frontend/common/what_decides.h"

#include <algorithm>
#include <set>
#include <vector>

namespace micrort::frontend {

namespace {

constexpr int kMaxParameterRank = 1;  // of an input that is a parameter rather than data
constexpr size_t kMaxNamed = 3;

const ir::Node* WriterOf(const ir::Graph& graph, ir::ValueId id) {
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const auto& outputs = (*node)->outputs;
    if (std::find(outputs.begin(), outputs.end(), id) != outputs.end()) return node->get();
  }
  return nullptr;
}

// The value of the graph around that an input of this one is; kNoValue if it is none.
ir::ValueId OuterOf(GraphAssembler& assembler, ir::ValueId id) {
  const ir::Graph& outer = assembler.parent()->graph();
  for (const ir::ValueId captured : assembler.captures()) {
    if (outer.value(captured).name == assembler.graph().value(id).name) return captured;
  }
  return ir::kNoValue;
}

// Adds the names of the inputs that `start` follows from. Returns false if it also follows from a state of
// the model, because constant inputs do not settle it then.
bool AddInputsBehind(GraphAssembler& assembler, ir::ValueId start, std::vector<std::string>* names) {
  const ir::Graph& graph = assembler.graph();
  std::set<ir::ValueId> seen;
  std::vector<ir::ValueId> open = {start};
  while (!open.empty()) {
    const ir::ValueId id = open.back();
    open.pop_back();
    if (id == ir::kNoValue || !seen.insert(id).second || graph.value(id).is_constant()) continue;
    if (const ir::Node* node = WriterOf(graph, id)) {
      // Sizes follow from shapes, not from values.
      if (node->code != schema::OpCode::Shape)
        open.insert(open.end(), node->inputs.begin(), node->inputs.end());
    } else if (assembler.parent() != nullptr) {
      const ir::ValueId outer = OuterOf(assembler, id);
      if (outer != ir::kNoValue && !AddInputsBehind(*assembler.parent(), outer, names)) return false;
    } else if (assembler.IsState(id)) {
      return false;
    } else if (graph.value(id).rank() <= kMaxParameterRank) {
      names->push_back(graph.value(id).name);
    }
  }
  return true;
}

}  // namespace

std::string WhatDecides(GraphAssembler& assembler, ir::ValueId id) {
  std::vector<std::string> names;
  if (!AddInputsBehind(assembler, id, &names)) return "";
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty() || names.size() > kMaxNamed) return "";
  std::string inputs, flags;
  for (const std::string& name : names) {
    inputs += (inputs.empty() ? "'" : ", '") + name + "'";
    flags += " --input-value " + name + "=VALUE";
  }
  const bool is_one = names.size() == 1;
  return std::string(is_one ? "; input " : "; inputs ") + inputs + (is_one ? " decides it:" : " decide it:") +
         flags + (is_one ? " makes that a constant" : " make those constants");
}

}  // namespace micrort::frontend
