#include "converter/passes/layout/region.h"

#include <algorithm>

namespace micrort::passes {
namespace {

Order PermutationOf(const ir::Node& transpose) {
  return transpose.as<schema::TransposeOptionsT>().permutation;
}

bool IsTranspose(const ir::Node& node) { return node.code == schema::OpCode::Transpose; }

}  // namespace

Region::Region(const ir::Graph& graph, const ir::Graph::Uses& uses, const ir::Node& seed)
    : graph_(graph), uses_(uses) {
  const Order permutation = PermutationOf(seed);
  Assign(seed.inputs[0], permutation, Layout::kBefore);
  Assign(seed.outputs[0], Inverse(permutation), Layout::kAfter);
  crossed_.insert(&seed);
  Grow();
}

bool Region::CanAssign(ir::ValueId id, const Order& order, Layout as_is) const {
  const auto found = values_.find(id);
  if (found == values_.end()) return true;
  return found->second.as_is == as_is && SameMemory(graph_.value(id).shape, found->second.order, order);
}

// Values that both layouts store alike are left out: they bind nobody.
bool Region::Assign(ir::ValueId id, const Order& order, Layout as_is) {
  if (graph_.value(id).is_constant() || IsIdentity(order)) return false;
  const bool added = values_.emplace(id, Alternative{order, as_is}).second;
  if (added) values_in_order_.push_back(id);
  return added;
}

void Region::Grow() {
  for (size_t next = 0; next < values_in_order_.size(); ++next) {
    const ir::ValueId id = values_in_order_[next];
    const auto v = static_cast<size_t>(id);
    if (const ir::Node* producer = uses_.producer[v]; producer != nullptr) {
      TryJoin(*producer, id, producer->inputs.size());
    }
    for (const ir::Node* consumer : uses_.consumers[v]) {
      const auto input = std::find(consumer->inputs.begin(), consumer->inputs.end(), id);
      TryJoin(*consumer, id, static_cast<size_t>(input - consumer->inputs.begin()));
    }
  }
}

// `input`: where the node reads `from`; inputs.size() if it writes it.
void Region::TryJoin(const ir::Node& node, ir::ValueId from, size_t input) {
  if (IsTranspose(node)) {
    TryJoinTranspose(node, from);
    return;
  }
  if (members_.count(&node) != 0) return;
  const Alternative alternative = values_.at(from);
  const auto orders = input == node.inputs.size() ? OrdersFromOutput(graph_, node, alternative.order)
                                                  : OrdersFromInput(graph_, node, input, alternative.order);
  if (!orders) return;

  std::vector<std::pair<ir::ValueId, const Order*>> bound = {{node.outputs[0], &orders->output}};
  for (size_t i = 0; i < orders->inputs.size(); ++i) {
    if (!orders->inputs[i].empty()) bound.emplace_back(node.inputs[i], &orders->inputs[i]);
  }
  for (const auto& [id, order] : bound) {
    if (!CanAssign(id, *order, alternative.as_is)) return;
  }
  for (const auto& [id, order] : bound) Assign(id, *order, alternative.as_is);
  members_.emplace(&node, Member{*orders, alternative.as_is});
  members_in_order_.push_back(&node);
}

// A Transpose is crossed if it makes what `from` is in the one layout into what its other side is in the
// other.
void Region::TryJoinTranspose(const ir::Node& node, ir::ValueId from) {
  if (IsCrossed(node)) return;
  const Alternative& alternative = values_.at(from);
  const bool forward = node.inputs[0] == from;
  const Order permutation = PermutationOf(node);
  const Order there = forward ? Inverse(permutation) : permutation;
  const Order here = Inverse(there);
  const ir::ValueId to = forward ? node.outputs[0] : node.inputs[0];
  const Layout to_layout = alternative.as_is == Layout::kBefore ? Layout::kAfter : Layout::kBefore;
  if (!SameMemory(graph_.value(from).shape, alternative.order, here)) return;
  if (graph_.value(to).is_constant() || !CanAssign(to, there, to_layout)) return;
  Assign(to, there, to_layout);
  crossed_.insert(&node);
}

LayoutPlan Region::Solve() const {
  MinCut cut;
  std::unordered_map<const ir::Node*, int> ids;
  for (const ir::Node* member : members_in_order_) ids.emplace(member, cut.AddNode());
  for (ir::ValueId id : values_in_order_) {
    const ir::Node* producer = uses_.producer[static_cast<size_t>(id)];
    if (producer == nullptr || !IsCrossed(*producer)) AddMoveCosts(id, ids, &cut);
  }
  const std::vector<bool> before = cut.Solve();

  LayoutPlan plan;
  for (const auto& [node, member] : members_) {
    const Layout chosen = before[static_cast<size_t>(ids.at(node))] ? Layout::kBefore : Layout::kAfter;
    if (chosen != member.as_is) plan.emplace(node, member.orders);
  }
  return plan;
}

// Nodes of the network that read the value, also through crossed Transposes. A Transpose that is not crossed
// takes its input in any order for the same price.
void Region::CollectReaders(ir::ValueId id, const std::unordered_map<const ir::Node*, int>& ids,
                            std::vector<int>* readers) const {
  const auto alternative = values_.find(id);
  if (alternative == values_.end()) return;
  const int as_it_is = Side(alternative->second.as_is);
  if (uses_.is_output[static_cast<size_t>(id)]) readers->push_back(as_it_is);
  for (const ir::Node* consumer : uses_.consumers[static_cast<size_t>(id)]) {
    if (IsTranspose(*consumer)) {
      if (IsCrossed(*consumer)) CollectReaders(consumer->outputs[0], ids, readers);
      continue;
    }
    const auto found = ids.find(consumer);
    readers->push_back(found == ids.end() ? as_it_is : found->second);
  }
}

// Moving `root` and what crossed Transposes make of it to the other layout costs its bytes once, however many
// readers want it there.
void Region::AddMoveCosts(ir::ValueId root, const std::unordered_map<const ir::Node*, int>& ids,
                          MinCut* cut) const {
  std::vector<int> readers;
  CollectReaders(root, ids, &readers);
  const ir::Value& value = graph_.value(root);
  const Alternative& alternative = values_.at(root);
  const int64_t cost = CostOfMoving(value, alternative.order, IdentityOrder(value.shape.size()));

  const ir::Node* producer = uses_.producer[static_cast<size_t>(root)];
  int writer = Side(alternative.as_is);
  if (producer != nullptr && IsTranspose(*producer)) {
    writer = cut->AddNode();  // may as well write the other layout
  } else if (const auto found = ids.find(producer); found != ids.end()) {
    writer = found->second;
  }
  const int moved_to_after = cut->AddNode();
  const int moved_to_before = cut->AddNode();
  cut->AddEdge(writer, moved_to_after, cost);
  cut->AddEdge(moved_to_before, writer, cost);
  for (int reader : readers) {
    cut->AddEdge(moved_to_after, reader, MinCut::kUncuttable);
    cut->AddEdge(reader, moved_to_before, MinCut::kUncuttable);
  }
}

}  // namespace micrort::passes
