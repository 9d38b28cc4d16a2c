#include "converter/ir/graph.h"

#include <algorithm>
#include <set>

namespace micrort::ir {

size_t FirstBodyInput(const Node& node) { return node.code == schema::OpCode::If ? 1 : 0; }

size_t FirstCapture(const Node& node) {
  constexpr size_t kLoopScalars = 2;  // trip count, condition
  return node.code == schema::OpCode::If ? 1 : kLoopScalars + node.as<schema::LoopOptionsT>().carried;
}

std::string ReadableDim(const std::string& name) {
  if (name.empty() || name[0] != '=') return name;
  return name.find('?') == std::string::npos ? name.substr(1) : "";
}

bool Value::is_static() const {
  return has_shape && std::all_of(shape.begin(), shape.end(), [](int64_t d) { return d != kDynamic; });
}

int64_t Value::elements() const {
  int64_t n = 1;
  for (int64_t d : shape) n *= d;
  return n;
}

ValueId Graph::AddValue(Value value) {
  const auto id = static_cast<ValueId>(values_.size());
  value.name = UniqueName(value.name);
  ids_.emplace(value.name, id);
  values_.push_back(std::move(value));
  return id;
}

std::string Graph::UniqueName(const std::string& wanted) {
  const std::string base = wanted.empty() ? "value" : wanted;
  if (!wanted.empty() && ids_.count(wanted) == 0) return wanted;
  int& next = next_suffix_[base];
  std::string name;
  do {
    name = base + "_" + std::to_string(++next);
  } while (ids_.count(name) != 0);
  return name;
}

ValueId Graph::FindValue(const std::string& value_name) const {
  const auto found = ids_.find(value_name);
  return found == ids_.end() ? kNoValue : found->second;
}

void Graph::Rename(ValueId id, const std::string& new_name) {
  Value& v = value(id);
  if (v.name == new_name) return;
  ids_.erase(v.name);
  v.name = UniqueName(new_name);
  ids_.emplace(v.name, id);
}

std::unique_ptr<Graph> Graph::Clone() const {
  auto copy = std::make_unique<Graph>();
  copy->name = name;
  copy->inputs = inputs;
  copy->outputs = outputs;
  copy->states = states;
  copy->input_sizes = input_sizes;
  for (const auto& node : nodes) {
    copy->nodes.push_back(std::make_unique<Node>(*node));
    for (std::shared_ptr<Graph>& body : copy->nodes.back()->bodies) body = body->Clone();
  }
  copy->values_ = values_;
  copy->ids_ = ids_;
  copy->next_suffix_ = next_suffix_;
  return copy;
}

ValueId Graph::AddConstant(const std::string& constant_name, DType dtype, std::vector<int64_t> shape,
                           Bytes data) {
  Value v;
  v.name = constant_name;
  v.dtype = dtype;
  v.has_shape = true;
  v.shape = std::move(shape);
  v.data = std::make_shared<const Bytes>(std::move(data));
  return AddValue(std::move(v));
}

Node* Graph::Uses::single_consumer(ValueId id) const {
  const auto i = static_cast<size_t>(id);
  return consumers[i].size() == 1 && !is_output[i] ? consumers[i][0] : nullptr;
}

Graph::Uses Graph::ComputeUses() const {
  Uses uses;
  ComputeUses(&uses);
  return uses;
}

void Graph::ComputeUses(Uses* uses) const {
  uses->producer.assign(value_count(), nullptr);
  for (auto& consumers : uses->consumers) consumers.clear();
  uses->consumers.resize(value_count());
  uses->is_output.assign(value_count(), false);
  for (const auto& node : nodes) {
    for (ValueId id : node->inputs) {
      if (id != kNoValue) uses->consumers[static_cast<size_t>(id)].push_back(node.get());
    }
    for (ValueId id : node->outputs) {
      if (id != kNoValue) uses->producer[static_cast<size_t>(id)] = node.get();
    }
  }
  for (ValueId id : outputs) uses->is_output[static_cast<size_t>(id)] = true;
}

void Graph::ReplaceUses(ValueId from, ValueId to) {
  for (const auto& node : nodes) std::replace(node->inputs.begin(), node->inputs.end(), from, to);
  std::replace(outputs.begin(), outputs.end(), from, to);
}

// Kahn's algorithm that always takes the earliest ready node, so that an order that is already right stays.
bool Graph::Sort() {
  const Uses uses = ComputeUses();
  std::unordered_map<const Node*, size_t> position;
  for (size_t i = 0; i < nodes.size(); ++i) position.emplace(nodes[i].get(), i);

  std::vector<size_t> waits_for(nodes.size(), 0);
  std::set<size_t> ready;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (ValueId id : nodes[i]->inputs) {
      if (id != kNoValue && uses.producer[static_cast<size_t>(id)] != nullptr) ++waits_for[i];
    }
    if (waits_for[i] == 0) ready.insert(i);
  }

  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t i = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(i);
    for (ValueId id : nodes[i]->outputs) {
      if (id == kNoValue) continue;
      for (const Node* consumer : uses.consumers[static_cast<size_t>(id)]) {
        const size_t c = position.at(consumer);
        if (--waits_for[c] == 0) ready.insert(c);
      }
    }
  }
  if (order.size() != nodes.size()) return false;

  std::vector<std::unique_ptr<Node>> sorted;
  sorted.reserve(nodes.size());
  for (size_t i : order) sorted.push_back(std::move(nodes[i]));
  nodes = std::move(sorted);
  return true;
}

std::vector<std::shared_ptr<Graph>> BodiesIn(const Graph& graph) {
  std::vector<std::shared_ptr<Graph>> bodies;
  for (const auto& node : graph.nodes) {
    for (const auto& body : node->bodies) {
      bodies.push_back(body);
      const auto inner = BodiesIn(*body);
      bodies.insert(bodies.end(), inner.begin(), inner.end());
    }
  }
  return bodies;
}

}  // namespace micrort::ir
