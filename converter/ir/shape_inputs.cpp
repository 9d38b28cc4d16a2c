#include "converter/ir/shape_inputs.h"

#include <set>
#include <unordered_map>
#include <vector>

#include "converter/ir/infer.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"

namespace micrort::ir {

namespace {

// What an interpreter takes; see runtime/interpreter/input_values.
constexpr int64_t kMaxKnownElements = 4096;

// `seeds` and everything that they are computed from.
std::set<ValueId> AllSources(const Graph& graph, const std::set<ValueId>& seeds) {
  std::unordered_map<ValueId, const Node*> producers;
  for (const auto& node : graph.nodes) {
    for (ValueId id : node->outputs) producers[id] = node.get();
  }
  std::set<ValueId> sources;
  std::vector<ValueId> waiting(seeds.begin(), seeds.end());
  while (!waiting.empty()) {
    const ValueId id = waiting.back();
    waiting.pop_back();
    if (id == kNoValue || !sources.insert(id).second) continue;
    const auto producer = producers.find(id);
    if (producer == producers.end()) continue;
    const OpRegistration* op = AllOps().Find(static_cast<int>(producer->second->code));
    if (op != nullptr && op->shape_only) continue;
    waiting.insert(waiting.end(), producer->second->inputs.begin(), producer->second->inputs.end());
  }
  return sources;
}

}  // namespace

Status MarkShapeInputs(Graph& graph) {
  ShapeInference inference(graph);
  for (const auto& node : graph.nodes) {
    if (Status s = inference.Visit(*node); !s.ok()) return s.WithPrefix("%s", Describe(*node).c_str());
  }
  const std::set<ValueId> sources = AllSources(graph, inference.deciding_values());
  for (ValueId id : graph.inputs) {
    Value& value = graph.value(id);
    value.decides_shapes = sources.count(id) != 0;
    if (value.decides_shapes && value.is_static() && value.elements() > kMaxKnownElements) {
      return MICRORT_ERROR(kUnsupported,
                           "a shape depends on the values of input '%s', which has %lld elements",
                           value.name.c_str(), static_cast<long long>(value.elements()));
    }
  }
  return Status();
}

}  // namespace micrort::ir
