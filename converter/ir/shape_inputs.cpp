#include "converter/ir/shape_inputs.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

#include "converter/custom/custom_ops.h"
#include "converter/ir/infer.h"
#include "runtime/ops/op.h"

namespace micrort::ir {

namespace {

// What an interpreter takes; see runtime/interpreter/input_values.
constexpr int64_t kMaxKnownElements = 4096;

// The values that decide shapes, found from those that do so at once, and through the bodies of nodes.
class DecidingValues {
 public:
  explicit DecidingValues(const std::set<ShapeInference::Place>& seeds) : seeds_(seeds) {}

  // All of the graph's own values, in *sources. kUnsupported if an iteration decides for the next one.
  Status Find(const Graph& graph, std::set<ValueId>* sources) const {
    std::vector<ValueId> waiting;
    for (const auto& [place, id] : seeds_) {
      if (place == &graph) waiting.push_back(id);
    }
    for (const auto& node : graph.nodes) MICRORT_RETURN_IF_ERROR(AddFromBodies(*node, &waiting));
    AddSources(graph, std::move(waiting), sources);
    return Status();
  }

 private:
  Status AddFromBodies(const Node& node, std::vector<ValueId>* waiting) const {
    for (const auto& body : node.bodies) {
      std::set<ValueId> sources;
      MICRORT_RETURN_IF_ERROR(Find(*body, &sources));
      for (size_t k = 0; k < body->inputs.size(); ++k) {
        if (sources.count(body->inputs[k]) == 0) continue;
        const size_t i = k + FirstBodyInput(node);
        if (i < FirstCapture(node)) {
          return MICRORT_ERROR(kUnsupported,
                               "%s: inside, a shape depends on the value of '%s', which each iteration "
                               "changes; --max-size NAME=N "
                               "bounds the shape of NAME",
                               Describe(node).c_str(), body->value(body->inputs[k]).name.c_str());
        }
        waiting->push_back(node.inputs[i]);
      }
    }
    return Status();
  }

  // `waiting` and everything that they are computed from.
  static void AddSources(const Graph& graph, std::vector<ValueId> waiting, std::set<ValueId>* sources) {
    std::unordered_map<ValueId, const Node*> producers;
    for (const auto& node : graph.nodes) {
      for (ValueId id : node->outputs) producers[id] = node.get();
    }
    while (!waiting.empty()) {
      const ValueId id = waiting.back();
      waiting.pop_back();
      if (id == kNoValue || !sources->insert(id).second) continue;
      const auto producer = producers.find(id);
      if (producer == producers.end()) continue;
      const OpRegistration* op = CurrentOps().Find(static_cast<int>(producer->second->code));
      if (op != nullptr && op->shape_only) continue;
      waiting.insert(waiting.end(), producer->second->inputs.begin(), producer->second->inputs.end());
    }
  }

  const std::set<ShapeInference::Place>& seeds_;
};

// Whether inference has found every size, and none that data decide. It notes these at the dimensions of an
// output, which one of rank 0 does not have.
bool AreSizesNumbers(const Graph& graph) {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return node->bodies.empty() && std::all_of(node->outputs.begin(), node->outputs.end(), [&](ValueId id) {
             const Value& value = graph.value(id);
             return value.is_static() && value.rank() != 0 && !value.sized_by_values;
           });
  });
}

}  // namespace

Status MarkShapeInputs(Graph& graph, bool is_as_imported) {
  if (is_as_imported && AreSizesNumbers(graph)) return Status();
  ShapeInference inference(graph);
  for (const auto& node : graph.nodes) {
    if (Status s = inference.Visit(*node); !s.ok()) return s.WithPrefix("%s", Describe(*node).c_str());
  }
  std::set<ValueId> sources;
  MICRORT_RETURN_IF_ERROR(DecidingValues(inference.data_sizes().deciders).Find(graph, &sources));
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
