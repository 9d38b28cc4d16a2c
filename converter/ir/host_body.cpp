#include "converter/ir/host_body.h"

namespace micrort::ir {

HostBody::HostBody(ShapeInference& inference, Graph& graph, const Graph& around, const Node& owner,
                   const std::vector<const HostTensor*>& outer)
    : inference_(inference),
      graph_(graph),
      around_(around),
      owner_(owner),
      outer_(outer),
      inputs_(graph.inputs.size()),
      outputs_(graph.outputs.size()) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Value& value = graph.value(graph.inputs[i]);
    inputs_[i].name = value.name.c_str();
    inputs_[i].dtype = value.dtype;
    for (const int64_t dim : value.shape) {
      if (inputs_[i].shape.rank < kMaxRank) inputs_[i].shape.dims[inputs_[i].shape.rank++] = dim;
    }
  }
}

Status HostBody::SetInput(int i, const Tensor& like) {
  const ValueId id = graph_.inputs[static_cast<size_t>(i)];
  HostTensor& t = inference_.probe_.At(graph_, id);
  t = HostTensor();
  t.name = graph_.value(id).name;
  t.dtype = like.dtype;
  t.shape = like.shape;
  t.quantization = &graph_.value(id).quantization;
  t.extents = like.extents;
  for (const HostTensor* outer : outer_) {
    const bool is_same = outer != nullptr && outer->data != nullptr && outer->data->data() == like.data;
    if (like.is_readable() && is_same) t.data = outer->data;
  }
  SetSizes(i, like);
  MICRORT_RETURN_IF_ERROR(CheckElements(t.name, t.dtype, t.shape));
  inference_.probe_.SetReady(graph_, id);
  inputs_[static_cast<size_t>(i)] = t.View();
  return Status();
}

void HostBody::SetSizes(int i, const Tensor& like) {
  const ValueId id = graph_.inputs[static_cast<size_t>(i)];
  const size_t source = static_cast<size_t>(i) + FirstBodyInput(owner_);
  const bool is_loop = owner_.code == schema::OpCode::Loop;
  constexpr int kIterationAndCondition = 2;
  size::SizedTensor sizes;
  const bool has_source = owner_.has_input(source) && (!is_loop || i >= kIterationAndCondition);
  if (has_source) sizes = inference_.SizesOf(around_, owner_.inputs[source]);
  const bool is_capture = source >= FirstCapture(owner_);
  if (!has_source || !sizes.has_rank || sizes.rank() != like.shape.rank) {
    sizes.SetShape(std::vector<size::Expr>(static_cast<size_t>(like.shape.rank), 1));
  }
  if (!is_capture) sizes.values.reset();
  HostTensor& t = inference_.probe_.At(graph_, id);
  for (int d = 0; d < like.shape.rank; ++d) {
    size::Expr& dim = sizes.shape[static_cast<size_t>(d)];
    if (like.extents[d] != Extent::kFixed && !is_capture) dim = inference_.sizes_.FreeDim(graph_, id, d);
    if (like.extents[d] != Extent::kFixed) t.shape[d] = inference_.TriedSize(dim);
  }
  size::SizeTable::Entry& entry = inference_.sizes_.At(graph_, id);
  entry.known = true;
  entry.tensor = std::move(sizes);
  entry.constant = is_capture && has_source && inference_.IsConstant(around_, owner_.inputs[source]);
}

// What is learned in a body holds for it alone.
Status HostBody::Infer(InferGoal) {
  const ShapeInference::Knowledge outside = inference_.known_;
  inference_.is_refuted_ = false;
  const Node* failed = nullptr;
  const Status status = InferNodes(&failed);
  if (!status.ok() && inference_.is_refuted_) inference_.impossible_.insert(&graph_);
  inference_.visits_.insert_or_assign(&graph_, ShapeInference::BodyVisit{inference_.known_, failed});
  inference_.known_ = outside;
  inference_.fits_[&graph_] = status.ok();
  return status;
}

Status HostBody::InferNodes(const Node** failed) {
  for (const auto& node : graph_.nodes) {
    *failed = node.get();
    if (Status s = inference_.VisitInBody(graph_, *node); !s.ok()) {
      return s.WithPrefix("%s", Describe(*node).c_str());
    }
  }
  *failed = nullptr;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const HostTensor* t = nullptr;
    MICRORT_RETURN_IF_ERROR(inference_.Find(graph_, graph_.outputs[i], &t));
    outputs_[i] = t->View();
  }
  if (owner_.code == schema::OpCode::Loop) MarkChanging();
  return Status();
}

void HostBody::MarkChanging() {
  const auto& options = owner_.as<schema::LoopOptionsT>();
  const size_t first_result = options.has_condition ? 1 : 0;
  constexpr size_t kFirstCarried = 2;
  for (size_t k = 0; k < options.carried; ++k) {
    if (first_result + k >= outputs_.size() || kFirstCarried + k >= inputs_.size()) return;
    Tensor& out = outputs_[first_result + k];
    const Tensor& in = inputs_[kFirstCarried + k];
    const size::SizedTensor before = inference_.SizesOf(graph_, graph_.inputs[kFirstCarried + k]);
    const size::SizedTensor after = inference_.SizesOf(graph_, graph_.outputs[first_result + k]);
    if (before.rank() != after.rank() || after.rank() != out.shape.rank) continue;
    for (int d = 0; d < out.shape.rank; ++d) {
      const auto at = static_cast<size_t>(d);
      const bool stays = inference_.known_.hard.AreEqual(before.shape[at], after.shape[at]);
      if (!stays && in.extents[d] == Extent::kFixed) out.extents = out.extents | Extents::Bounded(1u << d);
    }
  }
}

Status HostBody::PlanArena(size_t* bytes) {
  *bytes = 0;
  return Status();
}

}  // namespace micrort::ir
