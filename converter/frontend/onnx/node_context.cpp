#include "converter/frontend/onnx/node_context.h"

#include "converter/frontend/common/what_decides.h"
#include "converter/frontend/onnx/graph_importer.h"

namespace micrort::frontend::onnx {

namespace {

std::string WhatDecidesInput(const NodeContext& c, size_t i) {
  return c.graphs == nullptr ? "" : WhatDecides(c.graphs->assembler(), c.input(i));
}

}  // namespace

NodeContext::NodeContext(const ::onnx::NodeProto& proto, int opset, ir::Builder& builder,
                         GraphImporter* importer, SequenceTable& sequences, std::vector<ir::ValueId> inputs)
    : NodeAttributes(proto),
      build(builder),
      graphs(importer),
      opset_(opset),
      sequences_(sequences),
      inputs_(std::move(inputs)) {
  outputs_.assign(output_count(), ir::kNoValue);
}

void NodeContext::SetOutput(size_t i, ir::ValueId id) {
  if (i < outputs_.size()) outputs_[i] = id;
}

Status NodeContext::Return(ir::ValueId id) {
  SetOutput(0, id);
  return build.status();
}

Status NodeContext::Return(const std::vector<ir::ValueId>& ids) {
  for (size_t i = 0; i < ids.size(); ++i) {
    if (wants_output(i)) SetOutput(i, ids[i]);
  }
  return build.status();
}

Result<std::vector<int64_t>> NodeContext::ConstantIntegers(size_t i) const {
  std::vector<int64_t> list;
  if (ir::IntegersOf(x(i), &list)) return list;
  return Unsupported("input {} ('{}') must be a constant of int32 or int64{}", i, x(i).name,
                     WhatDecidesInput(*this, i));
}

Result<std::vector<float>> NodeContext::ConstantFloats(size_t i) const {
  std::vector<float> list;
  if (ir::FloatsOf(x(i), &list)) return list;
  return Unsupported("input {} ('{}') must be a constant of floats{}", i, x(i).name,
                     WhatDecidesInput(*this, i));
}

ir::ValueId NodeContext::Scalar(DType dtype, float v) {
  const ir::ValueId scalar = build.Scalar(v);
  return build.As(scalar, dtype);
}

}  // namespace micrort::frontend::onnx
