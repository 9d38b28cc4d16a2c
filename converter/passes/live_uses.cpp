#include "converter/passes/live_uses.h"

#include <algorithm>
#include <utility>

namespace micrort::passes {

NodeValues::NodeValues(const ir::Graph& graph) {
  nodes.reserve(graph.nodes.size());
  inputs.reserve(graph.nodes.size());
  outputs.reserve(graph.nodes.size());
  ids.reserve(4 * graph.nodes.size());
  for (const auto& node : graph.nodes) {
    nodes.push_back(node.get());
    inputs.push_back(node->inputs.size());
    outputs.push_back(node->outputs.size());
    ids.insert(ids.end(), node->inputs.begin(), node->inputs.end());
    ids.insert(ids.end(), node->outputs.begin(), node->outputs.end());
  }
}

template <typename F>
void NodeValues::ForEachInput(F f) const {
  auto id = ids.begin();
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto end = id + static_cast<std::ptrdiff_t>(inputs[i]);
    for (; id != end; ++id) {
      if (*id != ir::kNoValue) f(nodes[i], *id);
    }
    id += static_cast<std::ptrdiff_t>(outputs[i]);
  }
}

template <typename F>
void NodeValues::ForEachOutput(F f) const {
  auto id = ids.begin();
  for (size_t i = 0; i < nodes.size(); ++i) {
    id += static_cast<std::ptrdiff_t>(inputs[i]);
    const auto end = id + static_cast<std::ptrdiff_t>(outputs[i]);
    for (; id != end; ++id) {
      if (*id != ir::kNoValue) f(nodes[i], *id);
    }
  }
}

ReaderLists::ReaderLists(const NodeValues& all, size_t values) : lists_(values) {
  size_t uses = 0;
  all.ForEachInput([&](ir::Node*, ir::ValueId id) { ++lists_[static_cast<size_t>(id)].count; });
  for (List& list : lists_) {
    list.begin = uses;
    uses += std::exchange(list.count, 0);
  }
  first_.resize(uses);
  all.ForEachInput([&](ir::Node* node, ir::ValueId id) {
    List& list = lists_[static_cast<size_t>(id)];
    first_[list.begin + list.count++] = node;
  });
}

Span<ir::Node*> ReaderLists::Readers(const List& list) {
  if (list.grown < 0) return {first_.data() + list.begin, list.count};
  return grown_[static_cast<size_t>(list.grown)];
}

Span<ir::Node* const> ReaderLists::of(ir::ValueId id) const {
  const List& list = lists_[static_cast<size_t>(id)];
  if (list.grown < 0) return {first_.data() + list.begin, list.count};
  return grown_[static_cast<size_t>(list.grown)];
}

void ReaderLists::Add(ir::ValueId id, ir::Node* reader) {
  List& list = lists_[static_cast<size_t>(id)];
  if (list.grown < 0) {
    const Span<ir::Node*> readers = Readers(list);
    grown_.emplace_back(readers.begin(), readers.end());
    list.grown = static_cast<int>(grown_.size()) - 1;
  }
  grown_[static_cast<size_t>(list.grown)].push_back(reader);
}

template <typename IsGone>
void ReaderLists::RemoveIf(ir::ValueId id, IsGone is_gone) {
  List& list = lists_[static_cast<size_t>(id)];
  const Span<ir::Node*> readers = Readers(list);
  const auto count =
      static_cast<size_t>(std::remove_if(readers.begin(), readers.end(), is_gone) - readers.begin());
  if (list.grown < 0) {
    list.count = count;
  } else {
    grown_[static_cast<size_t>(list.grown)].resize(count);
  }
}

void ReaderLists::Remove(ir::ValueId id, const ir::Node* reader) {
  RemoveIf(id, [reader](const ir::Node* node) { return node == reader; });
}

void ReaderLists::Remove(ir::ValueId id, const std::unordered_set<const ir::Node*>& readers) {
  RemoveIf(id, [&readers](const ir::Node* node) { return readers.count(node) != 0; });
}

LiveUses::LiveUses(const ir::Graph& graph) : first_(graph), readers_(first_, graph.value_count()) {
  Grow(graph.value_count());
  for (const ir::ValueId id : graph.outputs) is_output_[static_cast<size_t>(id)] = true;
  first_.ForEachOutput([&](ir::Node* node, ir::ValueId id) { producers_[static_cast<size_t>(id)] = node; });
}

void LiveUses::Know() {
  if (!known_.empty()) return;
  known_.reserve(first_.nodes.size());
  auto id = first_.ids.begin();
  for (size_t i = 0; i < first_.nodes.size(); ++i) {
    Known& known = known_[first_.nodes[i]];
    const auto outputs = id + static_cast<std::ptrdiff_t>(first_.inputs[i]);
    const auto end = outputs + static_cast<std::ptrdiff_t>(first_.outputs[i]);
    known.inputs.assign(id, outputs);
    known.outputs.assign(outputs, end);
    known.at = i;
    id = end;
  }
}

ir::Node* LiveUses::Given(ir::Node* node) const {
  if (node != nullptr) given_.push_back(node);
  return node;
}

Span<ir::Node* const> LiveUses::consumers(ir::ValueId id) const {
  const Span<ir::Node* const> readers = readers_.of(id);
  given_.insert(given_.end(), readers.begin(), readers.end());
  return readers;
}

ir::Node* LiveUses::single_consumer(ir::ValueId id) const {
  const Span<ir::Node* const> readers = readers_.of(id);
  return readers.size() == 1 && !is_output(id) ? Given(readers[0]) : nullptr;
}

void LiveUses::LookAt(ir::Node* node) { given_.assign(1, node); }

void LiveUses::Grow(size_t values) {
  producers_.resize(values, nullptr);
  readers_.Grow(values);
  is_output_.resize(values, false);
}

void LiveUses::AddReads(ir::Node* node, const std::vector<ir::ValueId>& inputs) {
  work_ += inputs.size();
  for (const ir::ValueId id : inputs) {
    if (id != ir::kNoValue) readers_.Add(id, node);
  }
}

void LiveUses::AddWrites(ir::Node* node, const std::vector<ir::ValueId>& outputs) {
  for (const ir::ValueId id : outputs) {
    if (id != ir::kNoValue) producers_[static_cast<size_t>(id)] = node;
  }
}

// A Concat may read one value a thousand times, and that may have as many readers.
void LiveUses::RemoveReads(const ir::Node* node, std::vector<ir::ValueId> inputs) {
  work_ += inputs.size();
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  for (const ir::ValueId id : inputs) {
    if (id == ir::kNoValue) continue;
    ir::Node* writer = producers_[static_cast<size_t>(id)];
    if (writer == nullptr) {
      left_[id].insert(node);
      continue;
    }
    readers_.Remove(id, node);
    doubtful_.push_back(writer);
  }
}

// All at once: a constant may have as many readers as the graph has nodes, and nobody has to know at once
// that it lost one.
void LiveUses::RemoveReadsOfUnwritten() {
  for (const auto& [id, nodes] : left_) readers_.Remove(id, nodes);
  left_.clear();
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
  AddWrites(node, known.outputs);
}

bool LiveUses::IsRead(const ir::Node& node) const {
  return std::any_of(node.outputs.begin(), node.outputs.end(), [this](ir::ValueId id) {
    return id != ir::kNoValue && (is_output_[static_cast<size_t>(id)] || !readers_.of(id).empty());
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
  Know();
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
  RemoveReadsOfUnwritten();
  for (const auto& appended : graph.nodes) changed.push_back(appended.get());
  for (ir::Node* node : changed) Learn(node);
  doubtful_.insert(doubtful_.end(), changed.begin(), changed.end());
  Bury();
  RemoveReadsOfUnwritten();
  return work_;
}

void LiveUses::MoveOutput(ir::ValueId from, ir::ValueId to) {
  is_output_[static_cast<size_t>(from)] = false;
  Grow(std::max(is_output_.size(), static_cast<size_t>(to) + 1));
  is_output_[static_cast<size_t>(to)] = true;
}

}  // namespace micrort::passes
