// What inference writes to the values of a graph.

#include "converter/ir/infer.h"

namespace micrort::ir {

using size::Expr;
using size::SizedTensor;

void ShapeInference::PublishBody(Graph& body) {
  for (const ValueId id : body.inputs) Publish(body, id);
  for (const auto& inner : body.nodes) PublishResults(body, *inner);
}

void ShapeInference::PublishResults(Graph& graph, const Node& node) {
  for (const auto& body : node.bodies) {
    for (size_t i = FirstCapture(node); i < node.inputs.size(); ++i) {
      body->value(body->inputs[i - FirstBodyInput(node)]).quantization =
          graph.value(node.inputs[i]).quantization;
    }
    const auto fits = fits_.find(body.get());
    if (fits != fits_.end() && fits->second) PublishBody(*body);
  }
  for (const ValueId id : node.outputs) Publish(graph, id);
}

namespace {

std::string DimName(const size::Solver& known, const Expr& e) {
  constexpr size_t kLongest = 200;
  const std::string name = known.DimName(e);
  return name.size() <= kLongest ? name : "";
}

}  // namespace

void ShapeInference::Publish(Graph& graph, ValueId id) {
  const HostTensor& t = probe_.At(graph, id);
  const SizedTensor known = SizesOf(graph, id);
  Value& v = graph.value(id);
  v.dtype = t.dtype;
  v.has_shape = true;
  v.sized_by_values = !t.extents.all_fixed();
  v.shape.clear();
  v.dim_names.clear();
  bool has_names = false;
  for (const Expr& dim : known.shape) {
    v.shape.push_back(dim.constant().value_or(kDynamic));
    v.dim_names.push_back(dim.constant() ? "" : DimName(known_.hard, dim));
    has_names = has_names || !dim.constant();
  }
  if (!has_names) v.dim_names.clear();
}

std::shared_ptr<const Bytes> ShapeInference::KnownData(const Graph& graph, ValueId id) const {
  if (graph.value(id).is_constant()) return graph.value(id).data;
  const auto* entry = sizes_.Find(graph, id);
  const bool is_known = entry != nullptr && entry->constant && probe_.IsReady(graph, id);
  return is_known ? probe_.At(graph, id).data : nullptr;
}

}  // namespace micrort::ir
