#include "converter/frontend/tensorflow/scope.h"

#include <algorithm>

namespace micrort::frontend::tensorflow {

Status Scope::AddNodes(const Nodes& nodes) {
  for (const auto& node : nodes) {
    if (node.name().empty()) return Invalid("a node has no name");
    if (!nodes_.emplace(node.name(), &node).second)
      return MICRORT_ERROR(kInvalidModel, "two nodes are called '%.100s'", node.name().c_str());
  }
  return Status();
}

const ::tensorflow::NodeDef* Scope::Find(const std::string& name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : found->second;
}

size_t Scope::CountOutputsRead(const std::string& node) {
  if (!has_counted_) {
    for (const auto& entry : nodes_) {
      for (const std::string& input : entry.second->input()) {
        Result<TensorRef> ref = ParseTensorRef(input);
        if (!ref.ok() || ref->index <= 0) continue;
        size_t& count = outputs_read_[ref->node];
        count = std::max(count, static_cast<size_t>(ref->index) + 1);
      }
    }
    has_counted_ = true;
  }
  const auto found = outputs_read_.find(node);
  return found == outputs_read_.end() ? 1 : found->second;
}

const TfValue* Scope::Known(const TensorRef& ref) const {
  if (!given_.empty()) {
    const std::string name = ref.index == 0 ? ref.node : ref.node + ":" + std::to_string(ref.index);
    const auto given = given_.find(name);
    if (given != given_.end()) return &given->second;
  }
  const auto done = results_.find(ref.node);
  if (done == results_.end()) return nullptr;
  // What lies behind an operator that cannot be imported has no count of outputs.
  static const TfValue unreachable = UnreachableValue();
  static const TfValue missing = {};
  if (done->second.empty()) return &unreachable;
  if (done->second.size() == 1 && done->second[0].is_dead) return &done->second[0];
  const ::tensorflow::NodeDef* node = Find(ref.node);
  const int index = ref.index + (ref.output.empty() ? 0 : FirstOfOutput(node->op(), ref.output));
  return static_cast<size_t>(index) < done->second.size() ? &done->second[static_cast<size_t>(index)]
                                                          : &missing;
}

}  // namespace micrort::frontend::tensorflow
