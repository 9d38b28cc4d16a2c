#include "converter/passes/layout/relayout.h"

#include <utility>

namespace micrort::passes {
namespace {

bool IsKnownTranspose(const ir::Graph& graph, const ir::Node& node) {
  return node.code == schema::OpCode::Transpose && graph.value(node.inputs[0]).has_shape;
}

// The order of a tensor of higher rank that has `count` dimensions of size 1 in front.
Order WithLeadingDims(const Order& order, size_t count) {
  Order extended = IdentityOrder(count);
  for (int dim : order) extended.push_back(dim + static_cast<int>(count));
  return extended;
}

}  // namespace

int64_t Relayout::MovedBy(const ir::Graph& graph) {
  int64_t moved = 0;
  for (const auto& node : graph.nodes) {
    if (!IsKnownTranspose(graph, *node)) continue;
    const ir::Value& value = graph.value(node->inputs[0]);
    const auto& permutation = node->as<schema::TransposeOptionsT>().permutation;
    moved += CostOfMoving(value, IdentityOrder(value.shape.size()), permutation);
  }
  return moved;
}

Relayout::Relayout(ir::Graph& graph, const LayoutPlan& plan) : graph_(graph), plan_(plan) {
  for (ir::ValueId id : graph.inputs) AddCopy(id, IdentityOrder(graph.value(id).shape.size()), id);
  for (const auto& node : graph.nodes) Visit(node.get());
  for (ir::ValueId id : graph.outputs) VisitOutput(id);
  AddCosts();
}

void Relayout::AddCosts() {
  int64_t run_after = 0;
  for (size_t i = steps_.size(); i-- > 0;) {
    const Step& step = steps_[i];
    if (step.node != nullptr) {
      ++run_after;
      continue;
    }
    const Copy& to = copies_[static_cast<size_t>(step.output)];
    const Order& from = copies_[static_cast<size_t>(step.inputs[0])].order;
    // An identity that keeps the name of an output moves nothing.
    const int64_t moved = from == to.order ? 0 : CostOfMoving(graph_.value(to.root), from, to.order);
    cost_of_[to.root].Add({moved, run_after});
    cost_.Add({moved, run_after});
  }
}

LayoutCost Relayout::CostOf(ir::ValueId root) const {
  const auto found = cost_of_.find(root);
  return found == cost_of_.end() ? LayoutCost() : found->second;
}

ir::ValueId Relayout::RootOf(ir::ValueId id) const {
  const auto found = aliases_.find(id);
  return found == aliases_.end() ? id : found->second.root;
}

Relayout::Alias Relayout::AliasOf(ir::ValueId id) const {
  const auto found = aliases_.find(id);
  return found != aliases_.end() ? found->second : Alias{id, IdentityOrder(graph_.value(id).shape.size())};
}

Relayout::CopyId Relayout::AddCopy(ir::ValueId root, Order order, ir::ValueId value) {
  copies_.push_back({root, std::move(order), value});
  const auto id = static_cast<CopyId>(copies_.size()) - 1;
  copies_of_[root].push_back(id);
  return id;
}

// Constants are stored in as many orders as are wanted.
Relayout::CopyId Relayout::CopyOfConstant(ir::ValueId id, const Order& order) {
  for (CopyId copy : copies_of_[id]) {
    if (copies_[static_cast<size_t>(copy)].order == order) return copy;
  }
  return AddCopy(id, order,
                 IsIdentity(order) && order.size() == graph_.value(id).shape.size() ? id : ir::kNoValue);
}

Relayout::CopyId Relayout::Find(ir::ValueId id, const Order& wanted) {
  const Alias alias = AliasOf(id);
  const Order order = wanted.empty() ? IdentityOrder(graph_.value(id).shape.size()) : wanted;
  if (graph_.value(alias.root).is_constant()) {
    const Order extended = WithLeadingDims(alias.order, order.size() - alias.order.size());
    return CopyOfConstant(alias.root, Permuted(extended, order));
  }
  const Order target = Permuted(alias.order, order);
  const std::vector<int64_t>& shape = graph_.value(alias.root).shape;
  const std::vector<CopyId> candidates = copies_of_[alias.root];
  CopyId source = candidates[0];
  for (CopyId candidate : candidates) {
    const Order& candidate_order = copies_[static_cast<size_t>(candidate)].order;
    if (candidate_order == target) return candidate;
    if (SameMemory(shape, candidate_order, target)) source = candidate;
  }
  ir::ValueId value = ir::kNoValue;
  if (IsIdentity(order)) value = id;
  if (IsIdentity(target)) value = alias.root;
  const CopyId copy = AddCopy(alias.root, target, value);
  steps_.push_back({nullptr, {source}, copy});
  return copy;
}

void Relayout::Visit(ir::Node* node) {
  if (IsKnownTranspose(graph_, *node)) {
    const Alias source = AliasOf(node->inputs[0]);
    const Order permutation = node->as<schema::TransposeOptionsT>().permutation;
    aliases_[node->outputs[0]] = {source.root, Permuted(source.order, permutation)};
    return;
  }
  const auto planned = plan_.find(node);
  Step step = {node, {}, -1};
  for (size_t i = 0; i < node->inputs.size(); ++i) {
    const Order order = planned == plan_.end() ? Order() : planned->second.inputs[i];
    step.inputs.push_back(node->has_input(i) ? Find(node->inputs[i], order) : -1);
  }
  const ir::ValueId output = node->outputs[0];
  step.output = planned == plan_.end()
                    ? AddCopy(output, IdentityOrder(graph_.value(output).shape.size()), output)
                    : AddCopy(output, planned->second.output, ir::kNoValue);
  // Only nodes with one output are planned for, so further ones stay as they are.
  for (size_t i = 1; i < node->outputs.size(); ++i) {
    AddCopy(node->outputs[i], IdentityOrder(graph_.value(node->outputs[i]).shape.size()), node->outputs[i]);
  }
  steps_.push_back(std::move(step));
}

// A graph output is stored as it is. Where another value turns out to be the same, it is copied for now: the
// name must stay.
void Relayout::VisitOutput(ir::ValueId id) {
  const CopyId copy = Find(id, Order());
  if (copies_[static_cast<size_t>(copy)].value == id) return;
  const Alias alias = AliasOf(id);
  copies_.push_back({alias.root, alias.order, id});
  steps_.push_back({nullptr, {copy}, static_cast<CopyId>(copies_.size()) - 1});
}

void Relayout::AddMissingValues() {
  for (Copy& copy : copies_) {
    if (copy.value != ir::kNoValue) continue;
    const ir::Value& root = graph_.value(copy.root);
    ir::Value value = root;
    if (root.is_constant() && copy.order.size() > root.shape.size()) {
      const size_t ones = copy.order.size() - root.shape.size();
      value.shape.insert(value.shape.begin(), ones, 1);
      value.dim_names.clear();
      value.source_order.clear();
      if (value.quantization.axis >= 0) value.quantization.axis += static_cast<int>(ones);
      if (value.source_quantization.axis >= 0) value.source_quantization.axis += static_cast<int>(ones);
    }
    value = Reordered(value, copy.order);
    value.in_source = false;
    if (root.is_constant()) {
      value.data = std::make_shared<const ir::Bytes>(ReorderedData(root, copy.order));
    }
    copy.value = graph_.AddValue(std::move(value));
  }
}

// A value that nobody stores any more in the order it had leaves its name to what its producer writes now:
// always if that is a reordered form of the very value, else if only the value that goes is of the source
// model.
void Relayout::Bequeath(ir::ValueId gone, const Alias& alias) {
  const auto copies = copies_of_.find(alias.root);
  if (copies == copies_of_.end()) return;
  const Copy& copy = copies_[static_cast<size_t>(copies->second[0])];
  ir::Value& old = graph_.value(gone);
  ir::Value& heir = graph_.value(copy.value);
  if (heir.in_source || (gone != alias.root && !old.in_source)) return;
  const std::string name = old.name;
  const Order relation = Permuted(Inverse(alias.order), copy.order);
  heir.source_order = old.source_order.empty() ? relation : Permuted(old.source_order, relation);
  heir.in_source = std::exchange(old.in_source, false);
  graph_.Rename(gone, name + "/gone");
  graph_.Rename(copy.value, name);
}

void Relayout::BequeathNames() {
  std::vector<bool> stays(graph_.value_count(), false);
  std::vector<bool> is_written(graph_.value_count(),
                               false);  // by a node, which may write it under another name
  for (const Copy& copy : copies_) stays[static_cast<size_t>(copy.value)] = true;
  for (const Step& step : steps_) {
    const ir::ValueId root = copies_[static_cast<size_t>(step.output)].root;
    is_written[static_cast<size_t>(root)] = true;
  }
  for (size_t i = 0; i < stays.size(); ++i) {
    const auto id = static_cast<ir::ValueId>(i);
    const Alias alias = AliasOf(id);
    if (!stays[i] && is_written[static_cast<size_t>(alias.root)]) Bequeath(id, alias);
  }
}

std::unique_ptr<ir::Node> Relayout::MakeCopyNode(const Step& step) const {
  const Copy& from = copies_[static_cast<size_t>(step.inputs[0])];
  const Copy& to = copies_[static_cast<size_t>(step.output)];
  auto node = std::make_unique<ir::Node>();
  node->name = graph_.value(to.value).name;
  node->inputs = {from.value};
  node->outputs = {to.value};
  if (from.order == to.order) {
    node->code = schema::OpCode::Unary;
    node->as<schema::UnaryOptionsT>().kind = schema::UnaryKind::Identity;
  } else {
    node->code = schema::OpCode::Transpose;
    auto& permutation = node->as<schema::TransposeOptionsT>().permutation;
    for (int dim : to.order) permutation.push_back(PositionOf(from.order, dim));
  }
  node->source_op = schema::EnumNameOpCode(node->code);
  return node;
}

void Relayout::Commit() {
  for (const auto& [planned, orders] : plan_) ReorderOptions(graph_, orders, const_cast<ir::Node*>(planned));
  AddMissingValues();
  BequeathNames();
  std::unordered_map<const ir::Node*, std::unique_ptr<ir::Node>> owned;
  for (auto& node : graph_.nodes) owned.emplace(node.get(), std::move(node));
  graph_.nodes.clear();
  for (const Step& step : steps_) {
    if (step.node == nullptr) {
      graph_.nodes.push_back(MakeCopyNode(step));
      continue;
    }
    std::unique_ptr<ir::Node> node = std::move(owned.at(step.node));
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      const CopyId copy = step.inputs[i];
      node->inputs[i] = copy < 0 ? ir::kNoValue : copies_[static_cast<size_t>(copy)].value;
    }
    node->outputs[0] = copies_[static_cast<size_t>(step.output)].value;
    graph_.nodes.push_back(std::move(node));
  }
}

}  // namespace micrort::passes
