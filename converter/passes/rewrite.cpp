#include "converter/passes/rewrite.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "converter/ir/budget.h"

namespace micrort::passes {
namespace {

bool Contains(const std::vector<ir::ValueId>& ids, ir::ValueId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// Nodes from `first` on were appended for the node at `at`: they move there. Returns the node's new place.
size_t MoveAppended(ir::Graph& graph, size_t at, size_t first) {
  const size_t added = graph.nodes.size() - first;
  const auto begin = graph.nodes.begin();
  std::rotate(begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(first),
              graph.nodes.end());
  return at + added;
}

// After a change, everything is looked at anew.
Status SpendOnChange(const ir::Graph& graph) {
  constexpr uint64_t kLookWork = 10 * kElementWork;
  return Spend(ir::CurrentBudget(), MultiplyWork(graph.nodes.size() + graph.value_count(), kLookWork));
}

}  // namespace

ir::Node* Site::producer(size_t i) const {
  return node.has_input(i) ? uses.producer[static_cast<size_t>(node.inputs[i])] : nullptr;
}

ir::Node* Site::own_producer(size_t i) const {
  return node.has_input(i) && uses.single_consumer(node.inputs[i]) == &node ? producer(i) : nullptr;
}

bool RewriteNodes(ir::Graph& graph, const Rewrite& rewrite) {
  bool changed = false;
  bool changed_now = true;
  ir::Graph::Uses uses;
  while (changed_now) {
    changed_now = false;
    graph.ComputeUses(&uses);
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      const size_t count = graph.nodes.size();
      ir::Node* node = graph.nodes[i].get();
      if (!rewrite({graph, uses, *node})) continue;
      changed_now = true;
      i = MoveAppended(graph, i, count);
      const size_t with_dead = graph.nodes.size();
      RemoveDeadNodes(graph);
      i -= std::min(i, with_dead - graph.nodes.size());  // at or before what comes next
      // Inferring the changed graph costs more, and says so.
      if (!SpendOnChange(graph).ok()) return true;
      graph.ComputeUses(&uses);
    }
    changed |= changed_now;
  }
  return changed;
}

bool HandNameOver(ir::Graph& graph, ir::ValueId from, ir::ValueId to) {
  ir::Value& old = graph.value(from);
  ir::Value& heir = graph.value(to);
  const bool name_must_stay = Contains(graph.outputs, from);
  const bool heir_is_known = heir.is_constant() || Contains(graph.inputs, to) || Contains(graph.outputs, to);
  if (name_must_stay && heir_is_known) return false;
  if (name_must_stay || (old.in_source && !heir.in_source && !heir_is_known)) {
    const std::string name = old.name;
    graph.Rename(from, name + "/replaced");
    graph.Rename(to, name);
    heir.in_source = std::exchange(old.in_source, false);
    heir.source_order = old.source_order;
    if (!old.dim_names.empty()) heir.dim_names = old.dim_names;
  }
  return true;
}

bool ReplaceValue(const Site& site, ir::ValueId from, ir::ValueId to) {
  if (!HandNameOver(site.graph, from, to)) return false;
  site.graph.ReplaceUses(from, to);
  return true;
}

void MergeIntoConsumer(ir::Node& producer, ir::Node& consumer) {
  consumer.name = producer.name;
  consumer.source_op = producer.source_op;
  consumer.source_opset = producer.source_opset;
  consumer.code = producer.code;
  consumer.options = std::move(producer.options);
  consumer.trained = std::move(producer.trained);
  consumer.inputs = producer.inputs;
  producer.outputs.clear();
}

bool RemoveDeadNodes(ir::Graph& graph) {
  std::vector<bool> read(graph.value_count(), false);
  const auto is_read = [&read](ir::ValueId id) {
    return id != ir::kNoValue && read[static_cast<size_t>(id)];
  };
  for (ir::ValueId id : graph.outputs) read[static_cast<size_t>(id)] = true;
  const size_t before = graph.nodes.size();
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::none_of((*node)->outputs.begin(), (*node)->outputs.end(), is_read)) {
      node->reset();
      continue;
    }
    for (ir::ValueId id : (*node)->inputs) {
      if (id != ir::kNoValue) read[static_cast<size_t>(id)] = true;
    }
  }
  graph.nodes.erase(std::remove(graph.nodes.begin(), graph.nodes.end(), nullptr), graph.nodes.end());
  return graph.nodes.size() != before;
}

}  // namespace micrort::passes
