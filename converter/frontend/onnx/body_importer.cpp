#include "converter/frontend/onnx/body_importer.h"

#include <memory>
#include <utility>

namespace micrort::frontend::onnx {

Status BodyImporter::Import(ImportedBody* out) {
  for (bool widened = true; widened;) MICRORT_RETURN_IF_ERROR(ImportOnce(out, &widened));
  return Status();
}

Status BodyImporter::ImportOnce(ImportedBody* out, bool* widened) {
  MICRORT_RETURN_IF_ERROR(around_.CheckMayEnter(proto_));
  out->graph = std::make_shared<ir::Graph>();
  GraphImporter inner(around_, proto_, out->graph.get());
  ir::ShapeInference& inference = inner.assembler().inference();
  inference.Enter(*out->graph);
  *widened = false;
  Status status = ImportInside(inner);
  if (status.ok() && !inner.is_incomplete()) status = WidenInputs(inner.assembler(), widened);
  inference.Leave();
  out->misfits = inner.misfits();
  MICRORT_RETURN_IF_ERROR(status);
  out->captures = inner.assembler().captures();
  return inner.is_incomplete() ? around_.Incomplete() : Status();
}

Status BodyImporter::ImportInside(GraphImporter& inner) {
  ir::Graph& graph = inner.assembler().graph();
  graph.name = proto_.name();
  MICRORT_RETURN_IF_ERROR(inner.AddInitializers());
  for (const BodyInput& input : inputs_) MICRORT_RETURN_IF_ERROR(AddInput(input, inner));
  for (const BodySlice& slice : slices_) MICRORT_RETURN_IF_ERROR(AddSlice(slice, graph.inputs[0], inner));
  MICRORT_RETURN_IF_ERROR(inner.ImportNodes());
  return inner.AddOutputs();
}

Status BodyImporter::AddInput(const BodyInput& input, GraphImporter& inner) {
  GraphAssembler& assembler = inner.assembler();
  const std::string name = input.info == nullptr ? "" : input.info->name();
  const bool is_scalar = input.outer == ir::kNoValue;
  const ir::ValueId id = is_scalar ? AddScalarInput(&assembler.graph(), name, input.dtype)
                                   : AddBodyInput(assembler, name, input.outer, input.changing_dims);
  // ONNX leaves it open whether a scalar is one, or a vector of one element.
  if (is_scalar && input.info != nullptr && input.info->type().tensor_type().shape().dim_size() == 1)
    assembler.graph().value(id).shape = {1};
  return input.info == nullptr ? Status() : inner.values().Define(name, id);
}

Status BodyImporter::AddSlice(const BodySlice& slice, ir::ValueId iteration, GraphImporter& inner) {
  const std::string& name = slice.info->name();
  ir::Builder builder = inner.assembler().BuilderFor({name, "Scan", 0}, name);
  ir::ValueId index = iteration, outer = ir::kNoValue;
  if (slice.last != ir::kNoValue) {
    ir::ValueId last = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(inner.Capture(slice.last, &last));
    index = builder.Sub(last, iteration);
  }
  MICRORT_RETURN_IF_ERROR(inner.Capture(slice.outer, &outer));
  const ir::ValueId id = builder.Gather(outer, index, slice.axis);
  MICRORT_RETURN_IF_ERROR(builder.status());
  inner.assembler().graph().Rename(id, name);
  return inner.values().Define(name, id);
}

Status BodyImporter::WidenInputs(GraphAssembler& inner, bool* widened) {
  const ir::Graph& graph = inner.graph();
  for (size_t i = 0; i < inputs_.size(); ++i) {
    BodyInput& input = inputs_[i];
    if (input.result < 0) continue;
    if (static_cast<size_t>(input.result) >= graph.outputs.size())
      return Invalid("the body has {} outputs", graph.outputs.size());
    const ir::ValueId before = graph.inputs[i], after = graph.outputs[static_cast<size_t>(input.result)];
    MICRORT_RETURN_IF_ERROR(WidenCarried(inner, before, after, "the value '" + graph.value(before).name + "'",
                                         &input.changing_dims, widened));
  }
  return Status();
}

}  // namespace micrort::frontend::onnx
