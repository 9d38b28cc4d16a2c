// Graphs inside nodes: what they read of the graphs around them, and what iterations change.

#include <algorithm>

#include "converter/frontend/onnx/graph_importer.h"
#include "runtime/model/verify.h"

namespace micrort::frontend {

namespace {

// Loops inside loops are imported again and again where iterations change shapes; no real model comes near.
constexpr int kMaxBodyImports = 1 << 14;

}  // namespace

GraphImporter::GraphImporter(GraphImporter& parent, const ::onnx::GraphProto& proto, ir::Graph* graph)
    : model_(parent.model_),
      proto_(proto),
      options_(parent.options_),
      graph_(*graph),
      diagnostics_(parent.diagnostics_),
      parent_(&parent),
      depth_(parent.depth_ + (graph == &parent.graph_ ? 0 : 1)),
      inference_(parent.inference_),
      body_imports_(parent.body_imports_),
      lists_(parent.lists_) {}

bool GraphImporter::IsSettled(ir::ValueId id, bool* value) const {
  const auto data = inference_->KnownData(id);
  if (data == nullptr || data->size() != 1 || inference_->DependsOnSizes(graph_, id)) return false;
  *value = (*data)[0] != 0;
  return true;
}

ir::ValueId GraphImporter::Lookup(const std::string& name, bool* reachable) {
  const auto found = values_.find(name);
  if (found != values_.end()) return found->second;
  *reachable = unreachable_.count(name) == 0;
  if (parent_ == nullptr || !*reachable) return ir::kNoValue;
  const ir::ValueId outer = parent_->Lookup(name, reachable);
  return outer == ir::kNoValue ? ir::kNoValue : Capture(outer);
}

ir::ValueId GraphImporter::Capture(ir::ValueId outer) {
  if (&graph_ == &parent_->graph_) return outer;
  const auto known = captured_.find(outer);
  if (known != captured_.end()) return known->second;
  if (IsList(outer)) return CaptureList(outer);
  ir::Value value = parent_->graph_.value(outer);
  value.in_source = value.decides_shapes = false;
  const bool is_constant = value.is_constant();
  const ir::ValueId id = graph_.AddValue(std::move(value));
  captured_.emplace(outer, id);
  if (is_constant) return id;
  graph_.inputs.push_back(id);
  captures_.push_back(outer);
  inference_->Bind(graph_, id, outer, true, 0);
  return id;
}

ir::ValueId GraphImporter::CaptureList(ir::ValueId outer) {
  List list = lists_->at(outer);
  for (ir::ValueId& element : list.elements) element = Capture(element);
  const ir::ValueId id = lists_->Add(std::move(list));
  captured_.emplace(outer, id);
  return id;
}

Status GraphImporter::Inline(const ::onnx::GraphProto& proto, const std::vector<ir::ValueId>& inputs,
                             std::vector<ir::ValueId>* outputs) {
  if (static_cast<size_t>(proto.input_size()) != inputs.size()) {
    return MICRORT_ERROR(kInvalidModel, "the graph inside has %d inputs, expected %zu", proto.input_size(),
                         inputs.size());
  }
  GraphImporter inner(*this, proto, &graph_);
  for (size_t i = 0; i < inputs.size(); ++i) {
    MICRORT_RETURN_IF_ERROR(inner.Define(proto.input(static_cast<int>(i)).name(), inputs[i]));
  }
  MICRORT_RETURN_IF_ERROR(inner.AddInitializers());
  MICRORT_RETURN_IF_ERROR(inner.ImportNodes());
  for (auto& node : inner.folded_) folded_.push_back(std::move(node));
  for (const auto& info : proto.output()) {
    bool reachable = true;
    outputs->push_back(inner.Lookup(info.name(), &reachable));
    if (!reachable) {
      is_incomplete_ = true;
      return MICRORT_ERROR(kUnsupported, "an operator inside it");
    }
    if (outputs->back() == ir::kNoValue) {
      return MICRORT_ERROR(kInvalidModel, "nothing computes the output '%s'", info.name().c_str());
    }
  }
  return Status();
}

Status GraphImporter::ImportBody(const ::onnx::GraphProto& proto, std::vector<BodyInput> inputs,
                                 const std::vector<BodySlice>& slices, ImportedBody* out) {
  if (depth_ == kMaxNesting) {
    return MICRORT_ERROR(kUnsupported, "more than %u graphs inside each other", kMaxNesting);
  }
  // Importers rely on the shapes that they see, so once it is known that iterations change one, all is done
  // again.
  for (bool widened = true; widened;) {
    if (++*body_imports_ > kMaxBodyImports)
      return MICRORT_ERROR(kUnsupported, "too many graphs inside each other");
    out->graph = std::make_shared<ir::Graph>();
    GraphImporter inner(*this, proto, out->graph.get());
    inference_->Enter(*out->graph);
    Status status = inner.ImportInside(inputs, slices);
    widened = false;
    if (status.ok() && !inner.is_incomplete_) status = inner.WidenInputs(&inputs, &widened);
    inference_->Leave();
    MICRORT_RETURN_IF_ERROR(status);
    out->captures = inner.captures_;
    if (inner.is_incomplete_) {
      is_incomplete_ = true;
      return MICRORT_ERROR(kUnsupported, "an operator inside it");
    }
  }
  return Status();
}

Status GraphImporter::ImportInside(const std::vector<BodyInput>& inputs,
                                   const std::vector<BodySlice>& slices) {
  graph_.name = proto_.name();
  MICRORT_RETURN_IF_ERROR(AddInitializers());
  for (const BodyInput& input : inputs) MICRORT_RETURN_IF_ERROR(AddBodyInput(input));
  for (const BodySlice& slice : slices) MICRORT_RETURN_IF_ERROR(AddBodySlice(slice, graph_.inputs[0]));
  MICRORT_RETURN_IF_ERROR(ImportNodes());
  return AddOutputs();
}

Status GraphImporter::AddBodyInput(const BodyInput& input) {
  ir::Value value;
  if (input.outer != ir::kNoValue) {
    value = parent_->graph_.value(input.outer);
    value.data = nullptr;
    value.in_source = value.decides_shapes = false;
    for (size_t d = 0; d < value.shape.size(); ++d) {
      if ((input.open_dims >> d & 1u) == 0) continue;
      value.shape[d] = ir::kDynamic;
      if (d < value.dim_names.size()) value.dim_names[d].clear();
    }
  } else {
    value.dtype = input.dtype;
    value.has_shape = true;
    // ONNX leaves it open whether a scalar is one, or a vector of one element.
    if (input.info != nullptr && input.info->type().tensor_type().shape().dim_size() == 1) value.shape = {1};
  }
  value.name = input.info == nullptr ? "" : input.info->name();
  const ir::ValueId id = graph_.AddValue(std::move(value));
  graph_.inputs.push_back(id);
  if (input.outer != ir::kNoValue) inference_->Bind(graph_, id, input.outer, false, input.open_dims);
  return input.info == nullptr ? Status() : Define(input.info->name(), id);
}

Status GraphImporter::AddBodySlice(const BodySlice& slice, ir::ValueId iteration) {
  ir::Builder builder(graph_, {slice.info->name(), "Scan", 0}, slice.info->name(),
                      [this](std::unique_ptr<ir::Node> n) { return Append(std::move(n)); });
  ir::ValueId index = iteration;
  if (slice.last != ir::kNoValue) {
    index = builder.Binary(schema::BinaryKind::Sub, Capture(slice.last), iteration);
  }
  const ir::ValueId id = builder.Gather(Capture(slice.outer), index, slice.axis);
  MICRORT_RETURN_IF_ERROR(builder.status());
  graph_.Rename(id, slice.info->name());
  return Define(slice.info->name(), id);
}

Status GraphImporter::WidenInputs(std::vector<BodyInput>* inputs, bool* widened) const {
  for (size_t i = 0; i < inputs->size(); ++i) {
    BodyInput& input = (*inputs)[i];
    if (input.result < 0) continue;
    if (static_cast<size_t>(input.result) >= graph_.outputs.size()) {
      return MICRORT_ERROR(kInvalidModel, "the body has %zu outputs", graph_.outputs.size());
    }
    const ir::ValueId before = graph_.inputs[i], after = graph_.outputs[static_cast<size_t>(input.result)];
    if (graph_.value(before).dtype != graph_.value(after).dtype ||
        graph_.value(before).rank() != graph_.value(after).rank()) {
      return MICRORT_ERROR(kUnsupported,
                           "the value '%s' changes its type or rank from one iteration to the next",
                           graph_.value(before).name.c_str());
    }
    uint32_t open = 0;
    MICRORT_RETURN_IF_ERROR(inference_->DifferingDims(before, after, &open));
    open &= ~input.open_dims;
    *widened |= open != 0;
    input.open_dims |= open;
  }
  return Status();
}

}  // namespace micrort::frontend
