// One node: what follows for all sizes, and what the runtime's prepare says at the sizes that are tried.

#include <algorithm>
#include <cstring>
#include <deque>

#include "converter/ir/host_body.h"
#include "converter/ir/infer.h"
#include "converter/ir/size/size_function.h"

namespace micrort::ir {

namespace {

// Elements of a tensor of integers that become symbols where they are not known: shapes are no longer.
constexpr int64_t kMostSymbols = 8;

// Results that are worth keeping in place of the node that computes them: not much larger than its inputs (a
// float32 is twice as large as a half), and not long to compute.
bool WorthComputing(const std::vector<const HostTensor*>& inputs, const std::vector<HostTensor*>& outputs,
                    const OpCall& call) {
  if (call.takes_long()) return false;
  constexpr size_t kMaxGrowth = size_t{1} << 20;
  constexpr int64_t kMaxMultiplyAdds = int64_t{1} << 30;
  constexpr uint64_t kMaxWork = uint64_t{1} << 36;
  size_t input_bytes = 0;
  size_t output_bytes = 0;
  for (const HostTensor* t : inputs) input_bytes += t != nullptr && t->data != nullptr ? t->bytes() : 0;
  for (const HostTensor* t : outputs) output_bytes += t->bytes();
  return output_bytes <= 2 * input_bytes + kMaxGrowth && call.multiply_adds() <= kMaxMultiplyAdds &&
         call.work() <= kMaxWork;
}

bool AllKnown(const std::vector<const HostTensor*>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [](const HostTensor* t) { return t == nullptr || t->data != nullptr; });
}

bool AreConstant(const size::Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](const size::Number& n) { return n.numerator.constant().has_value(); });
}

bool IsFollowedInteger(DType dtype) { return dtype == DType::kInt32 || dtype == DType::kInt64; }

}  // namespace

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

Status ShapeInference::InferSizesOf(Graph& graph, const Node& node) {
  std::vector<size::SizedTensor> outputs(node.outputs.size());
  if (sizes_.has_symbols() && node.bodies.empty() && !AreInputsConstant(graph, node)) {
    std::deque<size::SizedTensor> known;
    std::vector<const size::SizedTensor*> inputs;
    for (const ValueId id : node.inputs) {
      inputs.push_back(id == kNoValue ? nullptr : &known.emplace_back(SizesOf(graph, id)));
    }
    size::SizeCall call(graph, node, std::move(inputs), &known_.hard, &known_.likely, &outputs);
    Status status = size::InferSizes(call);
    is_refuted_ = is_refuted_ || !status.ok();
    if (!status.ok()) return status;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    size::SizeTable::Entry& entry = sizes_.At(graph, node.outputs[i]);
    entry = {true, std::move(outputs[i]), false};
  }
  return Status();
}

Status ShapeInference::InferAsTried(Graph& graph, const Node& node) {
  OpCall call;
  MICRORT_RETURN_IF_ERROR(call.Init(node));
  MICRORT_RETURN_IF_ERROR(InferCall(graph, node, call));
  for (size_t i = 0; i < node.inputs.size() && i < 32; ++i) {
    if ((call.deciders() >> i & 1u) != 0) deciding_values_.insert({&graph, node.inputs[i]});
  }
  if (!node.bodies.empty()) TakeSizesOfBodies(graph, node);
  const bool closed = node.bodies.empty() && AreInputsClosed(graph, node);
  const bool constant = closed && (call.shape_only() || AreInputsConstant(graph, node));
  for (const ValueId id : node.outputs) {
    MICRORT_RETURN_IF_ERROR(Settle(graph, node, id, closed, constant));
    probe_.SetReady(graph, id);
  }
  return Status();
}

Status ShapeInference::InferCall(Graph& graph, const Node& node, OpCall& call) {
  std::vector<const HostTensor*> inputs;
  for (ValueId id : node.inputs) {
    inputs.push_back(nullptr);
    if (id != kNoValue) MICRORT_RETURN_IF_ERROR(Find(graph, id, &inputs.back()));
  }
  std::vector<HostTensor*> outputs;
  for (ValueId id : node.outputs) {
    HostTensor& t = probe_.At(graph, id);
    t = HostTensor::Of(graph.value(id), Shape());
    t.data = nullptr;
    outputs.push_back(&t);
  }
  std::deque<HostBody> bodies;
  std::vector<BodyPlan*> plans;
  for (const auto& body : node.bodies) {
    plans.push_back(&bodies.emplace_back(*this, *body, graph, node, inputs));
  }
  call.SetBodies(std::move(plans));
  MICRORT_RETURN_IF_ERROR(call.Infer(inputs, outputs));
  if (!node.bodies.empty()) {
    TakeKnownResults(node, inputs, outputs);
  } else if ((call.shape_only() || AllKnown(inputs)) && WorthComputing(inputs, outputs, call)) {
    MICRORT_RETURN_IF_ERROR(call.Run());
  }
  return Status();
}

// Where a condition is known, so is what its branch gives.
void ShapeInference::TakeKnownResults(const Node& node, const std::vector<const HostTensor*>& inputs,
                                      const std::vector<HostTensor*>& outputs) {
  if (node.code != schema::OpCode::If || inputs[0]->data == nullptr) return;
  const Graph& taken = *node.bodies[(*inputs[0]->data)[0] != 0 ? 0 : 1];
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i]->data = probe_.At(taken, taken.outputs[i]).data;
}

// What prepare reads is the same for all sizes.
bool ShapeInference::AreInputsClosed(const Graph& graph, const Node& node) {
  for (const ValueId id : node.inputs) {
    if (id == kNoValue) continue;
    const bool is_read = probe_.At(graph, id).data != nullptr && !IsConstant(graph, id);
    if (is_read || !SizesOf(graph, id).is_constant_shape()) return false;
  }
  return true;
}

bool ShapeInference::AreInputsConstant(const Graph& graph, const Node& node) {
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [&](ValueId id) { return id == kNoValue || IsConstant(graph, id); });
}

Status ShapeInference::Settle(const Graph& graph, const Node& node, ValueId id, bool closed, bool constant) {
  const HostTensor& t = probe_.At(graph, id);
  size::SizedTensor& known = sizes_.At(graph, id).tensor;
  const auto rank = static_cast<size_t>(t.shape.rank);
  const bool reads_rank = node.code == schema::OpCode::Reshape || node.code == schema::OpCode::Expand ||
                          node.code == schema::OpCode::Random;
  const size_t target = node.code == schema::OpCode::Random ? 0 : 1;
  if (reads_rank && node.has_input(target) && !SizesOf(graph, node.inputs[target]).is_constant_shape()) {
    return MICRORT_ERROR(kInvalidModel, "how many dimensions '%s' has depends on sizes of inputs; fix these",
                         t.name.c_str());
  }
  if (!known.has_rank) known.SetShape(std::vector<size::Expr>(rank, size::Expr::Unknown()));
  if (known.shape.size() != rank) {
    return MICRORT_ERROR(kInternal, "'%s' has %zu dimensions for all sizes, and %zu for some", t.name.c_str(),
                         known.shape.size(), rank);
  }
  for (int d = 0; d < t.shape.rank; ++d) MICRORT_RETURN_IF_ERROR(SettleDim(graph, id, d, closed));
  MICRORT_RETURN_IF_ERROR(CheckElements(t.name, t.dtype, t.shape));
  return SettleValues(graph, id, constant);
}

Status ShapeInference::SettleDim(const Graph& graph, ValueId id, int d, bool closed) {
  HostTensor& t = probe_.At(graph, id);
  size::Expr& dim = sizes_.At(graph, id).tensor.shape[static_cast<size_t>(d)];
  if (t.extents[d] != Extent::kFixed) {
    if (dim.is_unknown()) dim = sizes_.FreeDim(graph, id, d);
    t.shape[d] = TriedSize(dim);
    return Status();
  }
  if (dim.is_unknown()) {
    dim = closed ? size::Expr(t.shape[d]) : sizes_.ComputedDim(graph, id, d, t.shape[d]);
  }
  const std::optional<int64_t> expected = sizes_.witness().SizeOf(dim, trying_);
  if (!expected || *expected == t.shape[d]) return Status();
  // A dimension that is computed, and has been found to be something else, fits other sizes.
  return MICRORT_ERROR(kUnsupported, "dimension %d of '%s' is %s, and %lld where that is %lld", d,
                       t.name.c_str(), known_.hard.TextOf(dim).c_str(), static_cast<long long>(t.shape[d]),
                       static_cast<long long>(*expected));
}

Status ShapeInference::SettleValues(const Graph& graph, ValueId id, bool constant) {
  const HostTensor& t = probe_.At(graph, id);
  size::SizeTable::Entry& entry = sizes_.At(graph, id);
  size::SizedTensor& known = entry.tensor;
  known.is_float = IsFloat(t.dtype);
  const std::optional<int64_t> count = known.elements();
  if (known.values && (!count || static_cast<int64_t>(known.values->size()) != *count)) known.values.reset();
  if (constant && t.data != nullptr) {
    entry.constant = true;
    if (count) known.values = size::NumbersOf(t.dtype, *t.data, *count);
    return Status();
  }
  if (!count || !sizes_.has_symbols()) return Status();
  const bool has_symbols = IsFollowedInteger(t.dtype) && *count <= kMostSymbols;
  if (!known.values && has_symbols) known.values = size::Numbers(static_cast<size_t>(*count));
  const std::optional<size::Numbers> tried = t.data != nullptr && IsFollowedInteger(t.dtype)
                                                 ? size::NumbersOf(t.dtype, *t.data, *count)
                                                 : std::nullopt;
  for (size_t i = 0; known.values && i < known.values->size() && has_symbols; ++i) {
    size::Number& number = (*known.values)[i];
    if (number.is_unknown())
      number = sizes_.Element(graph, id, static_cast<int>(i),
                              tried ? (*tried)[i].numerator.constant() : std::nullopt);
  }
  entry.constant = entry.constant || (known.values && t.data != nullptr && AreConstant(*known.values));
  for (size_t i = 0; tried && known.values && i < tried->size(); ++i) {
    const auto expected = sizes_.witness().SizeOf((*known.values)[i].integer(), trying_);
    const int64_t found = *(*tried)[i].numerator.constant();
    if (!expected || *expected == found) continue;
    return MICRORT_ERROR(kUnsupported, "element %zu of '%s' is %s, and %lld where that is %lld", i,
                         t.name.c_str(), known_.hard.TextOf((*known.values)[i].numerator).c_str(),
                         static_cast<long long>(found), static_cast<long long>(*expected));
  }
  return Status();
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
