#include "converter/passes/order/memory_model.h"

#include <algorithm>
#include <unordered_map>

#include "converter/passes/layout/storage_order.h"

namespace micrort::passes {
namespace {

template <typename T>
void AddOnce(T item, std::vector<T>* items) {
  if (std::find(items->begin(), items->end(), item) == items->end()) items->push_back(item);
}

}  // namespace

MemoryModel::MemoryModel(const ir::Graph& graph)
    : reads_(graph.nodes.size()),
      producers_(graph.nodes.size()),
      readers_(graph.nodes.size()),
      bytes_(graph.value_count(), 0),
      result_bytes_(graph.nodes.size(), 0),
      reader_counts_(graph.value_count(), 0) {
  for (size_t i = 0; i < bytes_.size(); ++i) {
    const ir::Value& value = graph.value(static_cast<ir::ValueId>(i));
    if (!value.is_constant()) bytes_[i] = BytesOf(value);
  }
  // States have a place of their own.
  for (size_t i = graph.caller_inputs(); i < graph.inputs.size(); ++i)
    bytes_[static_cast<size_t>(graph.inputs[i])] = 0;
  std::unordered_map<ir::ValueId, size_t> writers;
  for (size_t node = 0; node < graph.nodes.size(); ++node) {
    for (ir::ValueId id : graph.nodes[node]->inputs) {
      if (id != ir::kNoValue && !graph.value(id).is_constant()) AddOnce(id, &reads_[node]);
    }
    for (ir::ValueId id : reads_[node]) {
      ++reader_counts_[static_cast<size_t>(id)];
      const auto writer = writers.find(id);
      if (writer == writers.end()) continue;
      AddOnce(writer->second, &producers_[node]);
      AddOnce(node, &readers_[writer->second]);
    }
    for (ir::ValueId id : graph.nodes[node]->outputs) {
      writers.emplace(id, node);
      result_bytes_[node] += bytes(id);
    }
  }
  for (ir::ValueId id : graph.outputs) ++reader_counts_[static_cast<size_t>(id)];
  for (ir::ValueId id : graph.inputs) {
    if (reader_counts_[static_cast<size_t>(id)] > 0) start_bytes_ += bytes(id);
  }
}

int64_t MemorySimulation::GrowthOf(size_t node) const {
  int64_t growth = model_.result_bytes(node);
  for (ir::ValueId id : model_.reads(node)) {
    if (waiting_readers_[static_cast<size_t>(id)] == 1) growth -= model_.bytes(id);
  }
  return growth;
}

void MemorySimulation::Run(size_t node) {
  peak_ = std::max(peak_, alive_ + model_.result_bytes(node));
  alive_ += GrowthOf(node);
  for (ir::ValueId id : model_.reads(node)) --waiting_readers_[static_cast<size_t>(id)];
}

int64_t PeakOf(const MemoryModel& model, const NodeOrder& order) {
  MemorySimulation simulation(model);
  for (size_t node : order) simulation.Run(node);
  return simulation.peak();
}

}  // namespace micrort::passes
