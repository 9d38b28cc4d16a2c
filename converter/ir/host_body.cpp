#include "converter/ir/host_body.h"

namespace micrort::ir {

HostBody::HostBody(ShapeInference& inference, Graph& graph, size_t probe,
                   const std::vector<const HostTensor*>& outer)
    : inference_(inference),
      graph_(graph),
      probe_(probe),
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
  HostTensor& t = inference_.probes_.At(graph_, id, probe_);
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
  MICRORT_RETURN_IF_ERROR(inference_.SizeRunDims(graph_, id, probe_));
  inference_.probes_.SetReady(graph_, id, probe_);
  inputs_[static_cast<size_t>(i)] = t.View();
  return Status();
}

Status HostBody::Infer(InferGoal) {
  const Status status = InferNodes();
  inference_.misfits_.Note(graph_, probe_, status.ok());
  return status;
}

Status HostBody::InferNodes() {
  for (const auto& node : graph_.nodes) {
    if (Status s = inference_.VisitInProbe(graph_, *node, probe_); !s.ok()) {
      return s.WithPrefix("%s", Describe(*node).c_str());
    }
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const HostTensor* t = nullptr;
    MICRORT_RETURN_IF_ERROR(inference_.Find(graph_, graph_.outputs[i], probe_, &t));
    outputs_[i] = t->View();
  }
  return Status();
}

Status HostBody::PlanArena(size_t* bytes) {
  *bytes = 0;
  return Status();
}

}  // namespace micrort::ir
