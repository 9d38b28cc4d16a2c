#include "converter/passes/rewrite.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "converter/ir/budget.h"

namespace micrort::passes {
namespace {

bool Contains(const std::vector<ir::ValueId>& ids, ir::ValueId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// A visit of every node in run order, and of those that are appended on the way. In between, graph.nodes
// holds only these.
class Sweep {
 public:
  Sweep(ir::Graph& graph, const Rewrite& rewrite)
      : graph_(graph),
        rewrite_(rewrite),
        uses_(graph),
        work_(MultiplyWork(graph.nodes.size() + graph.value_count(), kElementWork)),
        ahead_(std::make_move_iterator(graph.nodes.rbegin()), std::make_move_iterator(graph.nodes.rend())) {
    graph.nodes.clear();
  }

  // Whether anything changed.
  bool Run() {
    bool changed = false;
    while (!ahead_.empty()) {
      std::unique_ptr<ir::Node> node = std::move(ahead_.back());
      ahead_.pop_back();
      if (!Visit(*node)) {
        behind_.push_back(std::move(node));
        continue;
      }
      changed = true;
      // The sweep goes on with the nodes that were appended, then visits this one again.
      ahead_.push_back(std::move(node));
      std::move(graph_.nodes.rbegin(), graph_.nodes.rend(), std::back_inserter(ahead_));
      graph_.nodes.clear();
    }
    graph_.nodes = std::move(behind_);
    if (changed) RemoveDeadNodes(graph_);
    return changed;
  }

 private:
  bool Visit(ir::Node& node) {
    if (!Spend(ir::CurrentBudget(), std::exchange(work_, 0)).ok()) is_stopped_ = true;
    if (is_stopped_ || uses_.is_dead(&node)) return false;
    uses_.LookAt(&node);
    if (!rewrite_({graph_, uses_, node})) return false;
    // Inferring the changed graph costs more, and says so.
    constexpr uint64_t kChangeWork = 10 * kElementWork;
    work_ = MultiplyWork(uses_.Update(graph_), kChangeWork);
    return true;
  }

  ir::Graph& graph_;
  const Rewrite& rewrite_;
  LiveUses uses_;
  uint64_t work_;  // that is not paid for yet
  bool is_stopped_ = false;
  std::vector<std::unique_ptr<ir::Node>> ahead_;  // the next one last
  std::vector<std::unique_ptr<ir::Node>> behind_;
};

}  // namespace

ir::Node* Site::producer(size_t i) const {
  return node.has_input(i) ? uses.producer(node.inputs[i]) : nullptr;
}

ir::Node* Site::own_producer(size_t i) const {
  return node.has_input(i) && uses.single_consumer(node.inputs[i]) == &node ? producer(i) : nullptr;
}

bool RewriteNodes(ir::Graph& graph, const Rewrite& rewrite) {
  bool changed = false;
  while (Sweep(graph, rewrite).Run()) changed = true;
  return changed;
}

bool RewriteNodes(ir::Graph& graph, std::initializer_list<schema::OpCode> codes, const Rewrite& rewrite) {
  const auto is_meant = [&](const ir::Node& node) {
    return std::find(codes.begin(), codes.end(), node.code) != codes.end();
  };
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) { return is_meant(*node); }))
    return false;
  return RewriteNodes(graph, [&](const Site& site) { return is_meant(site.node) && rewrite(site); });
}

bool HandNameOver(ir::Graph& graph, ir::ValueId from, bool from_is_output, ir::ValueId to, bool to_is_known) {
  ir::Value& old = graph.value(from);
  ir::Value& heir = graph.value(to);
  if (from_is_output && to_is_known) return false;
  if (from_is_output || (old.in_source && !heir.in_source && !to_is_known)) {
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
  const bool is_known =
      site.graph.value(to).is_constant() || site.uses.is_output(to) || Contains(site.graph.inputs, to);
  if (!HandNameOver(site.graph, from, site.uses.is_output(from), to, is_known)) return false;
  for (ir::Node* reader : site.uses.consumers(from))
    std::replace(reader->inputs.begin(), reader->inputs.end(), from, to);
  if (site.uses.is_output(from)) {
    std::replace(site.graph.outputs.begin(), site.graph.outputs.end(), from, to);
    site.uses.MoveOutput(from, to);
  }
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
