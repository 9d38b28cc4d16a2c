#include "converter/frontend/onnx/body_importer.h"

#include <memory>
#include <utility>

namespace micrort::frontend::onnx {

BodyImporter::BodyImporter(GraphImporter& around, const ::onnx::GraphProto& proto, const LoopInputs& inputs,
                           std::vector<BodySlice> slices)
    : around_(around),
      proto_(proto),
      is_loop_(true),
      has_scalars_(inputs.has_scalars),
      slices_(std::move(slices)) {
  int next = has_scalars_ ? kLoopScalars : 0;
  for (const ir::ValueId first : inputs.firsts)
    carried_.push_back({first, proto.input(next++).name(), "", 0});
}

Status BodyImporter::Import(ImportedBody* out) {
  for (bool widened = true; widened;) MICRORT_RETURN_IF_ERROR(ImportOnce(out, &widened));
  return Status();
}

Status BodyImporter::ImportOnce(ImportedBody* out, bool* widened) {
  MICRORT_RETURN_IF_ERROR(around_.CheckMayEnter(proto_));
  out->graph = std::make_shared<ir::Graph>();
  GraphImporter inner(around_, proto_, out->graph.get());
  const InsideBody inside(inner.assembler(), *out->graph);
  *widened = false;
  Status status = ImportInside(inner);
  if (status.ok() && !inner.is_incomplete())  // after the condition
    status = WidenAll(inner.assembler(), has_scalars_ ? 1 : 0, &carried_, widened);
  out->misfits = inner.misfits();
  MICRORT_RETURN_IF_ERROR(status);
  out->captures = inner.assembler().captures();
  return inner.is_incomplete() ? around_.Incomplete() : Status();
}

Status BodyImporter::ImportInside(GraphImporter& inner) {
  ir::Graph& graph = inner.assembler().graph();
  graph.name = proto_.name();
  MICRORT_RETURN_IF_ERROR(inner.AddInitializers());
  if (is_loop_) MICRORT_RETURN_IF_ERROR(AddInputs(inner));
  for (const BodySlice& slice : slices_) MICRORT_RETURN_IF_ERROR(AddSlice(slice, graph.inputs[0], inner));
  MICRORT_RETURN_IF_ERROR(inner.ImportNodes());
  return inner.AddOutputs();
}

Status BodyImporter::AddInputs(GraphImporter& inner) {
  GraphAssembler& assembler = inner.assembler();
  const auto scalar = [&](int i) { return has_scalars_ ? proto_.input(i).name() : ""; };
  AddLoopScalars(&assembler.graph(), scalar(0), scalar(1));
  for (int i = 0; has_scalars_ && i < static_cast<int>(kLoopScalars); ++i) {
    const ir::ValueId id = assembler.graph().inputs[static_cast<size_t>(i)];
    // ONNX leaves it open whether a scalar is one, or a vector of one element.
    if (proto_.input(i).type().tensor_type().shape().dim_size() == 1) assembler.graph().value(id).shape = {1};
    MICRORT_RETURN_IF_ERROR(inner.values().Define(proto_.input(i).name(), id));
  }
  for (const Carried& value : carried_)
    MICRORT_RETURN_IF_ERROR(inner.values().Define(value.name, AddCarriedInput(assembler, value)));
  return Status();
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

}  // namespace micrort::frontend::onnx
