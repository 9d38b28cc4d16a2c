#include "converter/ir/infer.h"

#include <algorithm>

namespace micrort::ir {

namespace {

// Results that are worth keeping in place of the node that computes them: not much larger than its inputs (a
// float32 is twice as large as a half), and not long to compute.
bool WorthComputing(const std::vector<const HostTensor*>& inputs, const std::vector<HostTensor*>& outputs,
                    const OpCall& call) {
  constexpr size_t kMaxGrowth = size_t{1} << 20;
  constexpr int64_t kMaxMultiplyAdds = int64_t{1} << 30;
  size_t input_bytes = 0;
  size_t output_bytes = 0;
  for (const HostTensor* t : inputs) input_bytes += t != nullptr && t->data != nullptr ? t->bytes() : 0;
  for (const HostTensor* t : outputs) output_bytes += t->bytes();
  return output_bytes <= 2 * input_bytes + kMaxGrowth && call.multiply_adds() <= kMaxMultiplyAdds;
}

bool AllKnown(const std::vector<const HostTensor*>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [](const HostTensor* t) { return t == nullptr || t->data != nullptr; });
}

// Dimensions that do not fit each other, or positions that reach beyond a table (embeddings of a language
// model have one for its longest text).
bool MaySuitOtherSizes(const Status& status) {
  return status.code() == StatusCode::kInvalidModel || status.code() == StatusCode::kOutOfRange;
}

}  // namespace

ShapeInference::ShapeInference(Graph& graph) : graph_(graph), symbols_(graph) { Reset(0); }

void ShapeInference::Reset(size_t attempt) {
  attempt_ = attempt;
  probes_.assign(symbols_.empty() ? 1 : 2, Probe());
}

Status ShapeInference::Visit(const Node& node) {
  visited_.push_back(&node);
  Status status = VisitInProbes(node);
  const bool first_symbols = probes_.size() == 1 && !symbols_.empty();
  if (status.ok() && first_symbols) status = Repeat();
  if (MaySuitOtherSizes(status) && !symbols_.empty()) status = TryOtherSizes(status);
  if (!status.ok()) {
    visited_.pop_back();
    return status;
  }
  for (ValueId id : node.outputs) Publish(id);
  return Status();
}

Status ShapeInference::Repeat() {
  Reset(attempt_);
  for (const Node* node : visited_) MICRORT_RETURN_IF_ERROR(VisitInProbes(*node));
  for (const Node* node : visited_) {
    for (ValueId id : node->outputs) Publish(id);
  }
  return Status();
}

// Repeats all that was visited with the next sizes until everything fits them.
Status ShapeInference::TryOtherSizes(const Status& first_error) {
  while (attempt_ + 1 < Symbols::attempts()) {
    ++attempt_;
    if (Repeat().ok()) return Status();
  }
  return first_error;
}

Status ShapeInference::VisitInProbes(const Node& node) {
  OpCall call;
  MICRORT_RETURN_IF_ERROR(call.Init(node));
  for (size_t probe = 0; probe < probes_.size(); ++probe) {
    MICRORT_RETURN_IF_ERROR(VisitInProbe(node, call, probe));
  }
  return Status();
}

Status ShapeInference::VisitInProbe(const Node& node, OpCall& call, size_t probe) {
  Probe& p = probes_[probe];
  p.tensors.resize(graph_.value_count());
  p.ready.resize(graph_.value_count());
  std::vector<const HostTensor*> inputs;
  for (ValueId id : node.inputs) {
    inputs.push_back(nullptr);
    if (id != kNoValue) MICRORT_RETURN_IF_ERROR(Find(id, probe, &inputs.back()));
  }
  std::vector<HostTensor*> outputs;
  for (ValueId id : node.outputs) {
    HostTensor& t = p.tensors[static_cast<size_t>(id)];
    t = HostTensor::Of(graph_.value(id), Shape());
    t.data = nullptr;
    outputs.push_back(&t);
  }
  MICRORT_RETURN_IF_ERROR(call.Infer(inputs, outputs));
  if ((call.shape_only() || AllKnown(inputs)) && WorthComputing(inputs, outputs, call)) {
    MICRORT_RETURN_IF_ERROR(call.Run());
  }
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if ((call.undecided_by() >> i & 1u) != 0) deciding_values_.insert(node.inputs[i]);
  }
  for (ValueId id : node.outputs) {
    SizeOpenDims(id, probe);
    p.ready[static_cast<size_t>(id)] = true;
  }
  return Status();
}

void ShapeInference::SizeOpenDims(ValueId id, size_t probe) {
  HostTensor& t = probes_[probe].tensors[static_cast<size_t>(id)];
  symbols_.AddOpen(id, t.open_dims);
  for (int d = 0; d < t.shape.rank; ++d) {
    if ((t.open_dims >> d & 1u) != 0) t.shape[d] = symbols_.OpenSize(id, d, attempt_, probe);
  }
}

Status ShapeInference::Find(ValueId id, size_t probe, const HostTensor** out) {
  Probe& p = probes_[probe];
  const auto i = static_cast<size_t>(id);
  const Value& v = graph_.value(id);
  if (!p.ready[i]) {
    const bool is_input = std::find(graph_.inputs.begin(), graph_.inputs.end(), id) != graph_.inputs.end();
    if (!is_input && !v.is_constant()) {
      return MICRORT_ERROR(kInternal, "'%s' is read before it is written", v.name.c_str());
    }
    Value sized;
    sized.name = v.name;
    sized.shape = is_input ? symbols_.ShapeOf(v, id, attempt_, probe) : v.shape;
    Shape shape;
    MICRORT_RETURN_IF_ERROR(StaticShape(sized, &shape));
    p.tensors[i] = HostTensor::Of(v, shape);
    p.ready[i] = true;
  }
  *out = &p.tensors[i];
  return Status();
}

void ShapeInference::Publish(ValueId id) {
  const auto i = static_cast<size_t>(id);
  const HostTensor& a = probes_.front().tensors[i];
  const HostTensor& b = probes_.back().tensors[i];
  Value& v = graph_.value(id);
  const bool had_rank = v.has_shape && v.rank() == a.shape.rank;
  std::vector<std::string> old_names = had_rank ? v.dim_names : std::vector<std::string>();
  old_names.resize(static_cast<size_t>(a.shape.rank));

  v.dtype = a.dtype;
  v.has_shape = true;
  v.has_open_dims = a.open_dims != 0;
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

std::shared_ptr<const Bytes> ShapeInference::KnownData(ValueId id) const {
  if (graph_.value(id).is_constant()) return graph_.value(id).data;
  const auto i = static_cast<size_t>(id);
  const auto ready = [&](const Probe& p) { return i < p.ready.size() && p.ready[i]; };
  if (!ready(probes_.front()) || !ready(probes_.back())) return nullptr;
  const HostTensor& a = probes_.front().tensors[i];
  const HostTensor& b = probes_.back().tensors[i];
  const bool equal = a.data != nullptr && b.data != nullptr && a.shape == b.shape && *a.data == *b.data;
  return equal ? a.data : nullptr;
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
