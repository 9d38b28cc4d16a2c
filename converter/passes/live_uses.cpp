#include "converter/passes/live_uses.h"

#include <algorithm>
#include <utility>

namespace micrort::passes {

LiveUses::LiveUses(const ir::Graph& graph) {
  Grow(graph.value_count());
  for (const ir::ValueId id : graph.outputs) is_output_[static_cast<size_t>(id)] = true;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Learn(graph.nodes[i].get());
    known_[graph.nodes[i].get()].at = i;
  }
}

ir::Node* LiveUses::Given(ir::Node* node) const {
  if (node != nullptr) given_.push_back(node);
  return node;
}

const std::vector<ir::Node*>& LiveUses::consumers(ir::ValueId id) const {
  const std::vector<ir::Node*>& readers = consumers_[static_cast<size_t>(id)];
  given_.insert(given_.end(), readers.begin(), readers.end());
  return readers;
}

ir::Node* LiveUses::single_consumer(ir::ValueId id) const {
  const auto i = static_cast<size_t>(id);
  return consumers_[i].size() == 1 && !is_output_[i] ? Given(consumers_[i][0]) : nullptr;
}

void LiveUses::LookAt(ir::Node* node) { given_.assign(1, node); }

void LiveUses::Grow(size_t values) {
  producers_.resize(values, nullptr);
  consumers_.resize(values);
  is_output_.resize(values, false);
}

void LiveUses::AddReads(ir::Node* node, const std::vector<ir::ValueId>& inputs) {
  work_ += inputs.size();
  for (const ir::ValueId id : inputs) {
    if (id != ir::kNoValue) consumers_[static_cast<size_t>(id)].push_back(node);
  }
}

void LiveUses::RemoveReads(const ir::Node* node, const std::vector<ir::ValueId>& inputs) {
  work_ += inputs.size();
  for (const ir::ValueId id : inputs) {
    if (id == ir::kNoValue) continue;
    std::vector<ir::Node*>& readers = consumers_[static_cast<size_t>(id)];
    const auto reader = std::find(readers.begin(), readers.end(), node);
    readers.erase(reader);
    if (ir::Node* writer = producers_[static_cast<size_t>(id)]; writer != nullptr)
      doubtful_.push_back(writer);
  }
}

void LiveUses::Forget(ir::Node* node) {
  const Known& known = known_.at(node);
  RemoveReads(node, known.inputs);
  for (const ir::ValueId id : known.outputs) {
    if (id != ir::kNoValue && producers_[static_cast<size_t>(id)] == node)
      producers_[static_cast<size_t>(id)] = nullptr;
  }
}

void LiveUses::Learn(ir::Node* node) {
  Known& known = known_[node];
  known.inputs = node->inputs;
  known.outputs = node->outputs;
  AddReads(node, known.inputs);
  for (const ir::ValueId id : known.outputs) {
    if (id != ir::kNoValue) producers_[static_cast<size_t>(id)] = node;
  }
}

bool LiveUses::IsRead(const ir::Node& node) const {
  return std::any_of(node.outputs.begin(), node.outputs.end(), [this](ir::ValueId id) {
    return id != ir::kNoValue &&
           (is_output_[static_cast<size_t>(id)] || !consumers_[static_cast<size_t>(id)].empty());
  });
}

void LiveUses::Bury() {
  while (!doubtful_.empty()) {
    ir::Node* node = doubtful_.back();
    doubtful_.pop_back();
    Known& known = known_.at(node);
    work_ += 1 + known.outputs.size();
    if (known.is_dead || IsRead(*node)) continue;
    Forget(node);
    known.is_dead = true;
  }
}

size_t LiveUses::Update(const ir::Graph& graph) {
  work_ = 0;
  Grow(graph.value_count());
  std::vector<ir::Node*> changed;
  for (ir::Node* node : given_) {
    Known& known = known_.at(node);
    if (std::exchange(known.is_compared, true)) continue;
    work_ += known.inputs.size() + known.outputs.size();
    if (!known.is_dead && (known.inputs != node->inputs || known.outputs != node->outputs))
      changed.push_back(node);
  }
  for (const ir::Node* node : given_) known_.at(node).is_compared = false;
  doubtful_ = given_;  // nobody may have read it before either
  for (ir::Node* node : changed) Forget(node);
  for (const auto& appended : graph.nodes) changed.push_back(appended.get());
  for (ir::Node* node : changed) Learn(node);
  doubtful_.insert(doubtful_.end(), changed.begin(), changed.end());
  Bury();
  return work_;
}

void LiveUses::MoveOutput(ir::ValueId from, ir::ValueId to) {
  is_output_[static_cast<size_t>(from)] = false;
  Grow(std::max(is_output_.size(), static_cast<size_t>(to) + 1));
  is_output_[static_cast<size_t>(to)] = true;
}

}  // namespace micrort::passes
