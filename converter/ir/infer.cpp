#include "converter/ir/infer.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "converter/ir/budget.h"
#include "converter/ir/host_body.h"
#include "converter/ir/op_facts.h"
#include "converter/ir/size_search.h"

namespace micrort::ir {

namespace {

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

// Whether different elements of an input stay different, so that what differs by size did so before.
bool KeepsElements(const Graph& graph, const Node& node, size_t input) {
  const Movement movement = MovementOf(graph, node);
  return (movement == Movement::kMoves || movement == Movement::kConverts) &&
         OperandOf(node.code, input) == Operand::kData;
}

}  // namespace

bool MaySuitOtherSizes(const Status& status) {
  // Where the budget is spent, every size would be refused, and those that importers of nested branches try
  // multiply.
  if (!Spend(CurrentBudget(), kOperatorWork).ok()) return false;
  const StatusCode code = status.code();
  return code == StatusCode::kInvalidModel || code == StatusCode::kOutOfRange ||
         code == StatusCode::kUnsupported;
}

void Misfits::Reset(size_t probes) {
  probes_ = probes;
  fits_.clear();
}

void Misfits::Note(const Graph& body, size_t probe, bool fits) { fits_[{&body, probe}] = fits; }

bool Misfits::Fits(const Graph& body) const {
  for (size_t probe = 0; probe < probes_; ++probe) {
    const auto noted = fits_.find({&body, probe});
    if (noted == fits_.end() || !noted->second) return false;
  }
  return true;
}

std::vector<Graph*> Misfits::In(const Node& node) const {
  std::vector<Graph*> misfits;
  for (const auto& body : node.bodies) {
    if (!Fits(*body)) {
      misfits.push_back(body.get());
      continue;
    }
    for (const auto& inner : body->nodes) {
      for (Graph* deeper : In(*inner)) misfits.push_back(deeper);
    }
  }
  return misfits;
}

ShapeInference::ShapeInference(Graph& graph) : symbols_(graph) {
  scopes_.push_back({&graph, {}, {}});
  Reset(0);
}

void ShapeInference::Reset(size_t attempt) {
  attempt_ = attempt;
  probes_.Reset(symbols_.empty() ? 1 : 2);
  by_size_.clear();
  misfits_.Reset(probes_.count());
}

void ShapeInference::FixInputs() {
  Graph& graph = *scopes_[0].graph;
  for (const ValueId id : graph.inputs) {
    Value& value = graph.value(id);
    for (int d = 0; d < value.rank(); ++d) {
      const int64_t size = symbols_.OnlySize(id, d, attempt_);
      if (size == kDynamic) continue;
      value.shape[static_cast<size_t>(d)] = size;
      if (!value.dim_names.empty()) value.dim_names[static_cast<size_t>(d)].clear();
    }
    if (value.is_static()) value.dim_names.clear();
  }
}

void ShapeInference::Enter(Graph& body) { scopes_.push_back({&body, {}, {}}); }

void ShapeInference::Leave() {
  probes_.Forget(*scopes_.back().graph);
  scopes_.pop_back();
}

void ShapeInference::Bind(const Graph& graph, ValueId input, ValueId outer, bool same_value,
                          uint32_t changing_dims) {
  for (Scope& scope : scopes_) {
    if (scope.graph == &graph) scope.bindings[input] = {outer, same_value, changing_dims};
  }
}

Status ShapeInference::DifferingDims(ValueId a, ValueId b, uint32_t* dims) {
  *dims = 0;
  for (size_t probe = 0; probe < probes_.count(); ++probe) {
    const HostTensor *x = nullptr, *y = nullptr;
    MICRORT_RETURN_IF_ERROR(Find(*scopes_.back().graph, a, probe, &x));
    MICRORT_RETURN_IF_ERROR(Find(*scopes_.back().graph, b, probe, &y));
    for (int d = 0; d < x->shape.rank; ++d) *dims |= x->shape[d] == y->shape[d] ? 0 : 1u << d;
  }
  return Status();
}

Status ShapeInference::Visit(const Node& node) {
  Scope& scope = scopes_.back();
  scope.visited.push_back(&node);
  failures_.clear();
  Status status = VisitInProbes(*scope.graph, node);
  const bool first_symbols = probes_.count() == 1 && !symbols_.empty();
  if (status.ok() && first_symbols) status = Repeat();
  SizeSearch search(*this, node);
  const bool is_misfit = status.ok() ? !misfits_.In(node).empty() : MaySuitOtherSizes(status);
  const bool may_suit = is_misfit && !symbols_.empty();
  const size_t attempt = attempt_;
  std::optional<Symbols> symbols;  // there may be thousands, so that few nodes copy them
  if (may_suit) symbols = symbols_;
  const bool found = may_suit && search.Find(status);
  if (found) status = Status();
  if (!status.ok()) scope.visited.pop_back();
  if (may_suit && !found) {
    attempt_ = attempt;
    symbols_ = *symbols;
    // They have fitted all that is left: only the budget can be in the way.
    MICRORT_RETURN_IF_ERROR(Repeat());
  }
  if (!status.ok()) return status;
  PublishResults(*scope.graph, node);
  for (Graph* body : misfits_.In(node)) {
    search.InferApart(*body);
    MICRORT_RETURN_IF_ERROR(Repeat());
  }
  return Status();
}

Status ShapeInference::Repeat(Graph* body) {
  Reset(attempt_);
  for (const Scope& scope : scopes_) {
    for (const Node* node : scope.visited) MICRORT_RETURN_IF_ERROR(VisitInProbes(*scope.graph, *node));
  }
  if (body != nullptr) {
    if (misfits_.Fits(*body)) PublishBody(*body);
    return Status();
  }
  for (const Scope& scope : scopes_) {
    for (const Node* node : scope.visited) PublishResults(*scope.graph, *node);
  }
  return Status();
}

Status ShapeInference::VisitInProbes(Graph& graph, const Node& node) {
  Status status;
  for (size_t probe = 0; probe < probes_.count(); ++probe) {
    const Status found = VisitInProbe(graph, node, probe);
    if (status.ok()) status = found;
  }
  MICRORT_RETURN_IF_ERROR(status);
  MICRORT_RETURN_IF_ERROR(CheckRanks(graph, node));
  NoteSizes(graph, node);
  return Status();
}

Status ShapeInference::CheckRanks(const Graph& graph, const Node& node) const {
  for (const ValueId id : node.outputs) {
    const Shape &a = probes_.First(graph, id).shape, &b = probes_.Last(graph, id).shape;
    if (a.rank == b.rank) continue;
    return MICRORT_ERROR(kInvalidModel, "'%s' has %d or %d dimensions, as inputs are sized; fix their shapes",
                         graph.value(id).name.c_str(), a.rank, b.rank);
  }
  for (const auto& body : node.bodies) {
    if (!misfits_.Fits(*body)) continue;
    for (const auto& inner : body->nodes) MICRORT_RETURN_IF_ERROR(CheckRanks(*body, *inner));
  }
  return Status();
}

void ShapeInference::NoteSizes(const Graph& graph, const Node& node) {
  if (probes_.count() == 1) return;
  const auto differs = [&](ValueId id) {
    const HostTensor &a = probes_.First(graph, id), &b = probes_.Last(graph, id);
    return a.data != nullptr && b.data != nullptr && *a.data != *b.data;
  };
  bool depends = false;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId id = node.inputs[i];
    if (id == kNoValue) continue;
    depends |= by_size_.count({&graph, id}) != 0 || (!KeepsElements(graph, node, i) && differs(id));
  }
  for (const ValueId id : node.outputs) {
    if (depends) by_size_.insert({&graph, id});
  }
  for (const auto& body : node.bodies) {
    for (size_t i = FirstCapture(node); i < node.inputs.size(); ++i) {
      const ValueId inner = body->inputs[i - FirstBodyInput(node)];
      if (by_size_.count({&graph, node.inputs[i]}) != 0) by_size_.insert({body.get(), inner});
    }
    if (!misfits_.Fits(*body)) continue;
    for (const auto& inner : body->nodes) NoteSizes(*body, *inner);
  }
}

Status ShapeInference::VisitInProbe(Graph& graph, const Node& node, size_t probe) {
  OpCall call;
  MICRORT_RETURN_IF_ERROR(call.Init(node));
  if (Status s = InferNode(graph, node, probe, call); !s.ok()) {
    const FailedNode failed = {&graph, &node};
    const bool is_new = std::find(failures_.begin(), failures_.end(), failed) == failures_.end();
    if (is_new && node.bodies.empty() && s.code() == StatusCode::kInvalidModel) failures_.push_back(failed);
    return s;
  }
  for (size_t i = 0; i < node.inputs.size() && i < 32; ++i) {
    if ((call.deciders() >> i & 1u) != 0) deciding_values_.insert({&graph, node.inputs[i]});
  }
  for (ValueId id : node.outputs) {
    MICRORT_RETURN_IF_ERROR(SizeRunDims(graph, id, probe));
    probes_.SetReady(graph, id, probe);
  }
  return Status();
}

Status ShapeInference::InferNode(Graph& graph, const Node& node, size_t probe, OpCall& call) {
  std::vector<const HostTensor*> inputs;
  for (ValueId id : node.inputs) {
    inputs.push_back(nullptr);
    if (id != kNoValue) MICRORT_RETURN_IF_ERROR(Find(graph, id, probe, &inputs.back()));
  }
  std::vector<HostTensor*> outputs;
  for (ValueId id : node.outputs) {
    HostTensor& t = probes_.At(graph, id, probe);
    t = HostTensor::Of(graph.value(id), Shape());
    t.data = nullptr;
    outputs.push_back(&t);
  }
  std::deque<HostBody> bodies;
  std::vector<BodyPlan*> plans;
  for (const auto& body : node.bodies) plans.push_back(&bodies.emplace_back(*this, *body, probe, inputs));
  call.SetBodies(std::move(plans));
  MICRORT_RETURN_IF_ERROR(call.Infer(inputs, outputs));
  if (!node.bodies.empty()) {
    TakeKnownResults(node, inputs, outputs, probe);
  } else if ((call.shape_only() || AllKnown(inputs)) && WorthComputing(inputs, outputs, call)) {
    MICRORT_RETURN_IF_ERROR(call.Run());
  }
  return Status();
}

// Where a condition is known, so is what its branch gives.
void ShapeInference::TakeKnownResults(const Node& node, const std::vector<const HostTensor*>& inputs,
                                      const std::vector<HostTensor*>& outputs, size_t probe) {
  if (node.code != schema::OpCode::If || inputs[0]->data == nullptr) return;
  const Graph& taken = *node.bodies[(*inputs[0]->data)[0] != 0 ? 0 : 1];
  for (size_t i = 0; i < outputs.size(); ++i)
    outputs[i]->data = probes_.At(taken, taken.outputs[i], probe).data;
}

Status ShapeInference::SizeRunDims(const Graph& graph, ValueId id, size_t probe) {
  HostTensor& t = probes_.At(graph, id, probe);
  symbols_.AddRunDims(graph, id, t.extents);
  for (int d = 0; d < t.shape.rank; ++d) {
    if (t.extents[d] != Extent::kFixed) t.shape[d] = symbols_.RunSize(graph, id, d, attempt_, probe);
  }
  return CheckElements(t.name, t.dtype, t.shape);
}

Status ShapeInference::Find(const Graph& graph, ValueId id, size_t probe, const HostTensor** out) {
  if (!probes_.IsReady(graph, id, probe)) {
    HostTensor found;
    MICRORT_RETURN_IF_ERROR(FindInput(graph, id, probe, &found));
    probes_.At(graph, id, probe) = std::move(found);
    MICRORT_RETURN_IF_ERROR(SizeRunDims(graph, id, probe));
    probes_.SetReady(graph, id, probe);
  }
  *out = &probes_.At(graph, id, probe);
  return Status();
}

Status ShapeInference::FindInput(const Graph& graph, ValueId id, size_t probe, HostTensor* out) {
  const Value& v = graph.value(id);
  const bool is_input = std::find(graph.inputs.begin(), graph.inputs.end(), id) != graph.inputs.end();
  if (!is_input && !v.is_constant()) {
    return MICRORT_ERROR(kInternal, "'%s' is read before it is written", v.name.c_str());
  }
  for (size_t s = 1; s < scopes_.size() && is_input; ++s) {
    const auto bound = scopes_[s].bindings.find(id);
    if (scopes_[s].graph != &graph || bound == scopes_[s].bindings.end()) continue;
    const HostTensor* outer = nullptr;
    MICRORT_RETURN_IF_ERROR(Find(*scopes_[s - 1].graph, bound->second.outer, probe, &outer));
    *out = *outer;
    out->name = v.name;
    out->quantization = &v.quantization;
    out->constant = false;
    out->extents = Extents::Bounded(bound->second.changing_dims);
    if (!bound->second.same_value) out->data = nullptr;
    if (by_size_.count({scopes_[s - 1].graph, bound->second.outer}) != 0) by_size_.insert({&graph, id});
    return Status();
  }
  Value sized;
  sized.name = v.name;
  sized.dtype = v.dtype;
  sized.shape = is_input && &graph == scopes_[0].graph ? symbols_.ShapeOf(v, id, attempt_, probe) : v.shape;
  Shape shape;
  MICRORT_RETURN_IF_ERROR(StaticShape(sized, &shape));
  *out = HostTensor::Of(v, shape);
  return Status();
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
    if (misfits_.Fits(*body)) PublishBody(*body);
  }
  for (const ValueId id : node.outputs) Publish(graph, id);
}

void ShapeInference::Publish(Graph& graph, ValueId id) {
  const HostTensor &a = probes_.First(graph, id), &b = probes_.Last(graph, id);
  Value& v = graph.value(id);
  const bool had_rank = v.has_shape && v.rank() == a.shape.rank;
  std::vector<std::string> old_names = had_rank ? v.dim_names : std::vector<std::string>();
  old_names.resize(static_cast<size_t>(a.shape.rank));

  v.dtype = a.dtype;
  v.has_shape = true;
  v.sized_by_values = !a.extents.all_fixed();
  v.shape.assign(a.shape.dims, a.shape.dims + a.shape.rank);
  v.dim_names.clear();
  for (int d = 0; d < a.shape.rank; ++d) {
    if (a.shape[d] == b.shape[d]) continue;
    v.shape[static_cast<size_t>(d)] = kDynamic;
    v.dim_names.resize(static_cast<size_t>(a.shape.rank));
    const std::string name = symbols_.NameOf(attempt_, a.shape[d], b.shape[d]);
    v.dim_names[static_cast<size_t>(d)] = name.empty() ? old_names[static_cast<size_t>(d)] : name;
  }
}

std::shared_ptr<const Bytes> ShapeInference::KnownData(const Graph& graph, ValueId id) const {
  return graph.value(id).is_constant() ? graph.value(id).data : probes_.CommonData(graph, id);
}

bool ShapeInference::MayBeConstant(const Graph& graph, ValueId id) const {
  const Value& v = graph.value(id);
  const bool decides = v.dtype == DType::kBool && v.is_static() && v.elements() == 1;
  return KnownData(graph, id) != nullptr && !(decides && DependsOnSizes(graph, id));
}

Status InferShapes(Graph& graph) {
  ShapeInference inference(graph);
  for (const auto& node : graph.nodes) {
    if (Status s = inference.Visit(*node); !s.ok()) return s.WithPrefix("%s", Describe(*node).c_str());
  }
  return Status();
}

std::string Describe(const Node& node) {
  std::string source = node.source_op;
  if (node.source_opset > 0) source += ", opset " + std::to_string(node.source_opset);
  return "node '" + node.name + "' (" + (source.empty() ? schema::EnumNameOpCode(node.code) : source) + ")";
}

}  // namespace micrort::ir
