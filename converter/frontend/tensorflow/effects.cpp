#include "converter/frontend/tensorflow/effects.h"

#include <set>
#include <unordered_map>

#include "converter/frontend/tensorflow/tensor_ref.h"

namespace micrort::frontend::tensorflow {

namespace {

using ::tensorflow::NodeDef;

// Functions that call themselves are refused elsewhere.
constexpr int kMaxEffectDepth = 64;

bool ReadsVariable(const std::string& op) {
  return op == "ReadVariableOp" || op == "ResourceGather" || op == "ResourceGatherNd";
}

std::vector<const NodeDef*> NeededFor(const Effects::Nodes& nodes, std::vector<std::string> open) {
  std::unordered_map<std::string, const NodeDef*> by_name;
  for (const NodeDef& node : nodes) by_name.emplace(node.name(), &node);
  std::unordered_set<std::string> seen;
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    const auto found = by_name.find(name);
    if (found == by_name.end() || !seen.insert(name).second) continue;
    for (const std::string& input : found->second->input()) open.push_back(NodeOf(input));
  }
  std::vector<const NodeDef*> needed;
  for (const NodeDef& node : nodes) {
    if (seen.count(node.name()) != 0) needed.push_back(&node);
  }
  return needed;
}

}  // namespace

bool ChangesVariable(const std::string& op) {
  static const std::set<std::string> kOps = {
      "Assign", "AssignAdd", "AssignAddVariableOp", "AssignSub", "AssignSubVariableOp", "AssignVariableOp",
  };
  return kOps.count(op) != 0;
}

Effects::Effects(const ::tensorflow::FunctionDefLibrary& library) {
  for (const auto& function : library.function()) functions_[function.signature().name()] = &function;
}

Effects::Effect Effects::OfCalled(const std::string& function, int depth) {
  const auto known = known_.find(function);
  if (known != known_.end()) return known->second;
  const auto found = functions_.find(function);
  Effect sum;
  if (found == functions_.end() || depth > kMaxEffectDepth) return sum;
  known_[function] = sum;
  for (const NodeDef& node : found->second->node_def()) {
    const Effect one = OfNode(node, depth + 1);
    sum.touches |= one.touches;
    sum.changes |= one.changes;
  }
  known_[function] = sum;
  return sum;
}

Effects::Effect Effects::OfNode(const NodeDef& node, int depth) {
  Effect sum;
  sum.changes = ChangesVariable(node.op());
  sum.touches = sum.changes || ReadsVariable(node.op());
  const auto add = [&](const std::string& function) {
    const Effect one = OfCalled(function, depth);
    sum.touches |= one.touches;
    sum.changes |= one.changes;
  };
  add(node.op());
  for (const auto& [name, value] : node.attr()) {
    if (value.has_func()) add(value.func().name());
    for (const auto& function : value.list().func()) add(function.name());
  }
  return sum;
}

// What comes after a node that touches a variable may wait for it.
EffectOrder Effects::OrderOf(const std::vector<const NodeDef*>& nodes) {
  EffectOrder order;
  std::vector<std::string> open;
  for (const NodeDef* node : nodes) {
    const Effect effect = OfNode(*node, 0);
    if (effect.changes) order.changing.push_back(node->name());
    if (effect.touches) open.push_back(node->name());
  }
  if (order.changing.empty()) return order;
  std::unordered_map<std::string, std::vector<std::string>> readers;
  for (const NodeDef* node : nodes) {
    for (const std::string& input : node->input()) readers[NodeOf(input)].push_back(node->name());
  }
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (!order.nodes.insert(name).second) continue;
    const std::vector<std::string>& next = readers[name];
    open.insert(open.end(), next.begin(), next.end());
  }
  return order;
}

EffectOrder Effects::OfFunction(const Nodes& nodes) {
  std::vector<const NodeDef*> all;
  for (const NodeDef& node : nodes) all.push_back(&node);
  return OrderOf(all);
}

EffectOrder Effects::OfGraph(const Nodes& nodes, const std::vector<std::string>& outputs) {
  return OrderOf(NeededFor(nodes, outputs));
}

}  // namespace micrort::frontend::tensorflow
