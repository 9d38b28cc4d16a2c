// Graphs inside nodes: what they read of the graphs around them, and what iterations change.

#include <algorithm>

#include "converter/frontend/onnx/graph_importer.h"
#include "converter/ir/size_search.h"
#include "runtime/model/verify.h"

namespace micrort::frontend::onnx {

namespace {

// Loops inside loops are imported again and again where iterations change shapes; no real model comes near.
constexpr int kMaxBodyImports = 1 << 14;

}  // namespace

GraphImporter::GraphImporter(GraphImporter& parent, const ::onnx::GraphProto& proto, ir::Graph* graph)
    : model_(parent.model_),
      proto_(proto),
      options_(parent.options_),
      assembler_(parent.assembler_, graph),
      graph_(*graph),
      diagnostics_(parent.diagnostics_),
      parent_(&parent),
      body_imports_(parent.body_imports_),
      sequences_(parent.sequences_) {}

ir::ValueId GraphImporter::Lookup(const std::string& name, bool* reachable) {
  const ir::ValueId found = values_.Find(name);
  if (found != ir::kNoValue) return found;
  *reachable = !values_.IsUnreachable(name);
  if (parent_ == nullptr || !*reachable) return ir::kNoValue;
  const ir::ValueId outer = parent_->Lookup(name, reachable);
  return outer == ir::kNoValue ? ir::kNoValue : Capture(outer);
}

ir::ValueId GraphImporter::Capture(ir::ValueId outer) {
  const bool in_same_graph = &graph_ == &parent_->graph_;
  return IsSequence(outer) && !in_same_graph ? CaptureSequence(outer) : assembler_.Capture(outer);
}

ir::ValueId GraphImporter::CaptureSequence(ir::ValueId outer) {
  const auto known = captured_sequences_.find(outer);
  if (known != captured_sequences_.end()) return known->second;
  Sequence sequence = sequences_->at(outer);
  for (ir::ValueId& element : sequence.elements) element = Capture(element);
  const ir::ValueId id = sequences_->Add(std::move(sequence));
  captured_sequences_.emplace(outer, id);
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
    MICRORT_RETURN_IF_ERROR(inner.values_.Define(proto.input(static_cast<int>(i)).name(), inputs[i]));
  }
  MICRORT_RETURN_IF_ERROR(inner.AddInitializers());
  MICRORT_RETURN_IF_ERROR(inner.ImportNodes());
  assembler_.Adopt(inner.assembler_);
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
  if (assembler_.depth() == kMaxNesting) {
    return MICRORT_ERROR(kUnsupported, "more than %u graphs inside each other", kMaxNesting);
  }
  // Importers rely on the shapes that they see, so once it is known that iterations change one, all is done
  // again.
  for (bool widened = true; widened;) {
    if (++*body_imports_ > kMaxBodyImports)
      return MICRORT_ERROR(kUnsupported, "too many graphs inside each other");
    out->graph = std::make_shared<ir::Graph>();
    GraphImporter inner(*this, proto, out->graph.get());
    assembler_.inference().Enter(*out->graph);
    Status status = inner.ImportInside(inputs, slices);
    widened = false;
    if (status.ok() && !inner.is_incomplete_) status = inner.WidenInputs(&inputs, &widened);
    assembler_.inference().Leave();
    out->misfits = inner.misfits_;
    MICRORT_RETURN_IF_ERROR(status);
    out->captures = inner.assembler_.captures();
    if (inner.is_incomplete_) {
      is_incomplete_ = true;
      return MICRORT_ERROR(kUnsupported, "an operator inside it");
    }
  }
  return Status();
}

Status GraphImporter::ImportBranch(const ::onnx::GraphProto& proto, ImportedBody* out) {
  const Status status = ImportBody(proto, {}, {}, out);
  ir::ShapeInference& inference = assembler_.inference();
  const size_t first = ir::SizeSearch::Present(inference);
  for (size_t i = 1; i < ir::Symbols::attempts() && out->misfits; ++i) {
    const size_t attempt = (first + i) % ir::Symbols::attempts();
    if (ir::SizeSearch::MoveTo(attempt, inference) && ImportBody(proto, {}, {}, out).ok()) return Status();
  }
  if (out->misfits) ir::SizeSearch::MoveTo(first, inference);
  return status;
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
    value = BodyInputFor(parent_->graph_.value(input.outer), input.changing_dims);
  } else {
    value.dtype = input.dtype;
    value.has_shape = true;
    // ONNX leaves it open whether a scalar is one, or a vector of one element.
    if (input.info != nullptr && input.info->type().tensor_type().shape().dim_size() == 1) value.shape = {1};
  }
  value.name = input.info == nullptr ? "" : input.info->name();
  const ir::ValueId id = graph_.AddValue(std::move(value));
  graph_.inputs.push_back(id);
  if (input.outer != ir::kNoValue)
    assembler_.inference().Bind(graph_, id, input.outer, false, input.changing_dims);
  return input.info == nullptr ? Status() : values_.Define(input.info->name(), id);
}

Status GraphImporter::AddBodySlice(const BodySlice& slice, ir::ValueId iteration) {
  ir::Builder builder = assembler_.BuilderFor({slice.info->name(), "Scan", 0}, slice.info->name());
  ir::ValueId index = iteration;
  if (slice.last != ir::kNoValue) {
    index = builder.Binary(schema::BinaryKind::Sub, Capture(slice.last), iteration);
  }
  const ir::ValueId id = builder.Gather(Capture(slice.outer), index, slice.axis);
  MICRORT_RETURN_IF_ERROR(builder.status());
  graph_.Rename(id, slice.info->name());
  return values_.Define(slice.info->name(), id);
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
    uint32_t differing = 0;
    MICRORT_RETURN_IF_ERROR(assembler_.inference().DifferingDims(before, after, &differing));
    differing &= ~input.changing_dims;
    *widened |= differing != 0;
    input.changing_dims |= differing;
  }
  return Status();
}

}  // namespace micrort::frontend::onnx
