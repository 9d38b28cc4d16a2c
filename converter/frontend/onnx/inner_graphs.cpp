// What graphs inside nodes see of the graphs around them.

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/onnx/graph_importer.h"

namespace micrort::frontend::onnx {

namespace {

// Loops inside loops are imported again and again where iterations change shapes, and a SequenceMap's graph
// for every element; no real model comes near.
constexpr int kMaxGraphs = 1 << 14;
constexpr int kMaxInlinedNodes = 1 << 20;
constexpr int64_t kMaxInlinedBytes = int64_t{1} << 30;

}  // namespace

GraphImporter::GraphImporter(GraphImporter& parent, const ::onnx::GraphProto& proto, ir::Graph* graph)
    : model_(parent.model_),
      proto_(proto),
      options_(parent.options_),
      assembler_(parent.assembler_, graph),
      graph_(*graph),
      diagnostics_(parent.diagnostics_),
      parent_(&parent),
      imported_(parent.imported_),
      sequences_(parent.sequences_) {}

Status GraphImporter::Lookup(const std::string& name, bool* reachable, ir::ValueId* out) {
  *out = values_.Find(name);
  if (*out != ir::kNoValue) return Status();
  *reachable = !values_.IsUnreachable(name);
  if (parent_ == nullptr || !*reachable) return Status();
  ir::ValueId outer = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(parent_->Lookup(name, reachable, &outer));
  return outer == ir::kNoValue ? Status() : Capture(outer, out);
}

Status GraphImporter::Capture(ir::ValueId outer, ir::ValueId* out) {
  const bool in_same_graph = &graph_ == &parent_->graph_;
  if (!IsSequence(outer) || in_same_graph) {
    *out = assembler_.Capture(outer);
    return Status();
  }
  const auto known = captured_sequences_.find(outer);
  if (known != captured_sequences_.end()) {
    *out = known->second;
    return Status();
  }
  Sequence sequence = sequences_->at(outer);
  for (ir::ValueId& element : sequence.elements) MICRORT_RETURN_IF_ERROR(Capture(element, &element));
  MICRORT_RETURN_IF_ERROR(sequences_->Add(std::move(sequence), out));
  captured_sequences_.emplace(outer, *out);
  return Status();
}

Status GraphImporter::CheckMayEnter(const ::onnx::GraphProto& proto) {
  MICRORT_RETURN_IF_ERROR(frontend::CheckMayEnter(assembler_));
  return CountImport(proto);
}

Status GraphImporter::CountImport(const ::onnx::GraphProto& proto) {
  imported_->nodes += proto.node_size();
  if (++imported_->graphs <= kMaxGraphs && imported_->nodes <= kMaxInlinedNodes) return Status();
  return Unsupported("graphs inside nodes are imported over {} times, or with over {} nodes", kMaxGraphs,
                     kMaxInlinedNodes);
}

Status GraphImporter::Incomplete() {
  is_incomplete_ = true;
  return Unsupported("an operator inside it");
}

Status GraphImporter::Inline(const ::onnx::GraphProto& proto, const std::vector<ir::ValueId>& inputs,
                             std::vector<ir::ValueId>* outputs) {
  if (static_cast<size_t>(proto.input_size()) != inputs.size())
    return Invalid("the graph inside has {} inputs, expected {}", proto.input_size(), inputs.size());
  MICRORT_RETURN_IF_ERROR(CountImport(proto));
  imported_->inlined_bytes += static_cast<int64_t>(proto.ByteSizeLong());
  if (imported_->inlined_bytes > kMaxInlinedBytes)
    return Unsupported("graphs inside nodes are repeated to over {} bytes", kMaxInlinedBytes);
  GraphImporter inner(*this, proto, &graph_);
  for (size_t i = 0; i < inputs.size(); ++i)
    MICRORT_RETURN_IF_ERROR(inner.values_.Define(proto.input(static_cast<int>(i)).name(), inputs[i]));
  MICRORT_RETURN_IF_ERROR(inner.AddInitializers());
  MICRORT_RETURN_IF_ERROR(inner.ImportNodes());
  assembler_.Adopt(inner.assembler_);
  for (const auto& info : proto.output()) {
    bool reachable = true;
    outputs->push_back(ir::kNoValue);
    MICRORT_RETURN_IF_ERROR(inner.Lookup(info.name(), &reachable, &outputs->back()));
    if (!reachable) return Incomplete();
    if (outputs->back() == ir::kNoValue) return Invalid("nothing computes the output '{}'", info.name());
  }
  return Status();
}

}  // namespace micrort::frontend::onnx
