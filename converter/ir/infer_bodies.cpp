// What a node that runs graphs gives, from what is known of these; and what inference writes to values.

#include "converter/ir/infer.h"

namespace micrort::ir {

using size::Expr;
using size::Number;
using size::SizedTensor;

void ShapeInference::TakeSizesOfBodies(const Graph& graph, const Node& node) {
  if (node.code == schema::OpCode::If) TakeSizesOfIf(graph, node);
  if (node.code == schema::OpCode::Loop) TakeSizesOfLoop(graph, node);
}

void ShapeInference::TakeSizesOfIf(const Graph& graph, const Node& node) {
  const SizedTensor condition = SizesOf(graph, node.inputs[0]);
  const bool follows = condition.values && condition.values->size() == 1;
  const Expr taken = follows ? (*condition.values)[0].integer() : Expr::Unknown();
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    SizedTensor sides[2];
    bool constant[2] = {};
    for (size_t b = 0; b < 2; ++b) {
      const Graph& body = *node.bodies[b];
      const auto fits = fits_.find(&body);
      if (fits == fits_.end() || !fits->second) continue;
      sides[b] = SizesOf(body, body.outputs[i]);
      constant[b] = IsConstant(body, body.outputs[i]);
    }
    size::SizeTable::Entry& entry = sizes_.At(graph, node.outputs[i]);
    if (taken.constant()) {
      entry.tensor = std::move(sides[taken.is(0) ? 1 : 0]);
      entry.constant = constant[taken.is(0) ? 1 : 0];
      continue;
    }
    if (!sides[0].has_rank || !sides[1].has_rank) {
      entry.tensor = std::move(sides[sides[0].has_rank ? 0 : 1]);
      entry.tensor.values.reset();
      continue;
    }
    if (sides[0].rank() != sides[1].rank()) continue;
    std::vector<Expr> shape;
    for (size_t d = 0; d < sides[0].shape.size(); ++d) {
      const Expr &a = sides[0].shape[d], &b = sides[1].shape[d];
      shape.push_back(known_.hard.AreEqual(a, b) ? a
                      : taken.is_unknown()       ? Expr::Unknown()
                                                 : Choose(taken, a, b));
    }
    entry.tensor.SetShape(std::move(shape));
    if (!sides[0].values || !sides[1].values || sides[0].values->size() != sides[1].values->size()) continue;
    size::Numbers values;
    for (size_t k = 0; k < sides[0].values->size(); ++k) {
      const Number &a = (*sides[0].values)[k], &b = (*sides[1].values)[k];
      const bool follows_both = !taken.is_unknown() && a.denominator == b.denominator;
      values.push_back(a == b         ? a
                       : follows_both ? Number(Choose(taken, a.numerator, b.numerator), a.denominator)
                                      : Number());
    }
    entry.tensor.values = std::move(values);
  }
}

void ShapeInference::TakeSizesOfLoop(const Graph& graph, const Node& node) {
  const Graph& body = *node.bodies[0];
  const auto& options = node.as<schema::LoopOptionsT>();
  const size_t carried = options.carried, first_result = options.has_condition ? 1 : 0;
  constexpr size_t kFirstCarried = 2;
  const auto number = [&](size_t i) {
    if (!node.has_input(i)) return Expr::Unknown();
    const SizedTensor t = SizesOf(graph, node.inputs[i]);
    return t.values && t.values->size() == 1 ? (*t.values)[0].integer() : Expr::Unknown();
  };
  const bool runs_all = first_result == 0 && (!node.has_input(1) || number(1).is(1));
  const Expr trips = runs_all ? size::Max(number(0), 0) : Expr::Unknown();
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    SizedTensor out;
    if (i < carried) {
      // What changes from one iteration to the next has another size in the end than inside.
      const ValueId in = body.inputs[kFirstCarried + i];
      out = SizesOf(body, in);
      const HostTensor& t = probe_.At(graph, node.outputs[i]);
      for (int d = 0; d < out.rank() && d < t.shape.rank; ++d) {
        if (t.extents[d] != Extent::kFixed) out.shape[static_cast<size_t>(d)] = Expr::Unknown();
      }
    } else {
      const SizedTensor row = SizesOf(body, body.outputs[first_result + i]);
      std::vector<Expr> shape = {trips};
      shape.insert(shape.end(), row.shape.begin(), row.shape.end());
      if (row.has_rank) out.SetShape(std::move(shape));
    }
    out.values.reset();
    sizes_.At(graph, node.outputs[i]).tensor = std::move(out);
  }
}

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

std::string ShapeInference::DimName(const Expr& e) const {
  constexpr size_t kLongest = 200;
  const std::string name = known_.hard.DimName(e);
  return name.size() <= kLongest ? name : "";
}

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
    v.dim_names.push_back(dim.constant() ? "" : DimName(dim));
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
