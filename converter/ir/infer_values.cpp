// What is known of values that no node of the graph writes, and where it is looked up.

#include <algorithm>

#include "converter/ir/infer.h"

namespace micrort::ir {

int64_t ShapeInference::TriedSize(const size::Expr& e) const {
  // What cannot be computed, or is no size, is any.
  const std::optional<int64_t> size = sizes_.witness().SizeOf(e, trying_);
  return size && *size >= 0 ? *size : 1;
}

const ShapeInference::Binding* ShapeInference::BindingOf(const Graph& graph, ValueId id,
                                                         const Graph** around) const {
  for (size_t s = 1; s < scopes_.size(); ++s) {
    const auto bound = scopes_[s].bindings.find(id);
    if (scopes_[s].graph != &graph || bound == scopes_[s].bindings.end()) continue;
    *around = scopes_[s - 1].graph;
    return &bound->second;
  }
  return nullptr;
}

void ShapeInference::MakeSizesOfInput(const Graph& graph, ValueId id) {
  size::SizeTable::Entry& entry = sizes_.At(graph, id);
  const Value& v = graph.value(id);
  const Graph* around = nullptr;
  if (v.is_constant()) {
    entry.tensor.SetShape({v.shape.begin(), v.shape.end()});
    entry.tensor.values = size::NumbersOf(v.dtype, *v.data, v.elements());
    entry.constant = true;
  } else if (const Binding* binding = BindingOf(graph, id, &around)) {
    entry.tensor = SizesOf(*around, binding->outer);
    for (int d = 0; d < entry.tensor.rank(); ++d) {
      const bool changes = (binding->changing_dims >> d & 1u) != 0;
      if (changes) entry.tensor.shape[static_cast<size_t>(d)] = sizes_.FreeDim(graph, id, d);
    }
    if (!binding->same_value) entry.tensor.values.reset();
    entry.constant =
        binding->same_value && binding->changing_dims == 0 && IsConstant(*around, binding->outer);
  } else {
    const auto shape = input_shapes_.find(id);
    const bool is_outermost = &graph == scopes_[0].graph && shape != input_shapes_.end();
    entry.tensor.SetShape(is_outermost ? shape->second
                                       : std::vector<size::Expr>(v.shape.begin(), v.shape.end()));
  }
  entry.tensor.is_float = IsFloat(v.dtype);
  entry.known = true;
}

size::SizedTensor ShapeInference::SizesOf(const Graph& graph, ValueId id) {
  if (!sizes_.At(graph, id).known) MakeSizesOfInput(graph, id);
  size::SizedTensor tensor = sizes_.At(graph, id).tensor;
  for (size::Expr& dim : tensor.shape) dim = known_.hard.Resolve(dim);
  if (tensor.values) {
    for (size::Number& n : *tensor.values) n = size::Number(known_.hard.Resolve(n.numerator), n.denominator);
  }
  return tensor;
}

bool ShapeInference::IsConstant(const Graph& graph, ValueId id) {
  if (!sizes_.At(graph, id).known) MakeSizesOfInput(graph, id);
  return sizes_.At(graph, id).constant;
}

Status ShapeInference::Find(const Graph& graph, ValueId id, const HostTensor** out) {
  if (!probe_.IsReady(graph, id)) {
    HostTensor found;
    MICRORT_RETURN_IF_ERROR(FindInput(graph, id, &found));
    MICRORT_RETURN_IF_ERROR(CheckElements(found.name, found.dtype, found.shape));
    probe_.At(graph, id) = std::move(found);
    probe_.SetReady(graph, id);
  }
  *out = &probe_.At(graph, id);
  return Status();
}

Status ShapeInference::FindInput(const Graph& graph, ValueId id, HostTensor* out) {
  const Value& v = graph.value(id);
  const bool is_input = std::find(graph.inputs.begin(), graph.inputs.end(), id) != graph.inputs.end();
  if (!is_input && !v.is_constant()) {
    return MICRORT_ERROR(kInternal, "'%s' is read before it is written", v.name.c_str());
  }
  const Graph* around = nullptr;
  if (const Binding* binding = BindingOf(graph, id, &around)) {
    const HostTensor* outer = nullptr;
    MICRORT_RETURN_IF_ERROR(Find(*around, binding->outer, &outer));
    *out = *outer;
    out->name = v.name;
    out->quantization = &v.quantization;
    out->constant = false;
    out->extents = Extents::Bounded(binding->changing_dims);
    if (!binding->same_value) out->data = nullptr;
  } else {
    if (v.rank() > kMaxRank) {
      Shape ignored;
      return StaticShape(v, &ignored);
    }
    Shape shape;
    shape.rank = v.rank();
    for (int d = 0; d < shape.rank; ++d) shape[d] = v.shape[static_cast<size_t>(d)];
    *out = HostTensor::Of(v, shape);
  }
  const size::SizedTensor sizes = SizesOf(graph, id);
  for (int d = 0; d < out->shape.rank && d < sizes.rank(); ++d) {
    out->shape[d] = TriedSize(sizes.shape[static_cast<size_t>(d)]);
  }
  return Status();
}

}  // namespace micrort::ir
