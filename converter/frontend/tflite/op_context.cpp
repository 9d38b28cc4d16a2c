#include "converter/frontend/tflite/op_context.h"

#include <limits>

#include "converter/frontend/common/what_decides.h"
#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/subgraph_importer.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

namespace {

// The whole value where `part` is none (-1), or its numbers are not complex.
ir::ValueId PartOf(OpContext& c, int part, size_t i, ir::ValueId id) {
  if (part < 0 || !IsComplex(c.op.tensor(i)) || c.value(id).rank() == 0) return id;
  return c.build.PickAt(id, c.value(id).rank() - 1, part);
}

}  // namespace

OpContext::OpContext(const fb::Operator& stated, ir::Builder& builder, SubgraphImporter& importer)
    : op(importer.file(), importer.stated(), stated),
      build(builder),
      subgraph(importer),
      outputs_(op.output_count()),
      integers_(MovesInt16(op, importer.file().OpName(stated))) {}

ir::ValueId OpContext::input(size_t i) {
  if (integers_) return stored(i);
  return op.has_input(i) ? PartOf(*this, part_, i, subgraph.tensors().Real(op.input_index(i), build))
                         : ir::kNoValue;
}

ir::ValueId OpContext::stored(size_t i) {
  return op.has_input(i) ? PartOf(*this, part_, i, subgraph.tensors().Stored(op.input_index(i), build))
                         : ir::kNoValue;
}

bool OpContext::IsConstantInput(size_t i) { return op.has_input(i) && x(i).is_constant(); }

void OpContext::SetOutput(size_t i, ir::ValueId id) {
  if (i < outputs_.size()) outputs_[i] = {id, integers_};
}

void OpContext::SetStoredOutput(size_t i, ir::ValueId id) {
  if (i < outputs_.size()) outputs_[i] = {id, true};
}

Status OpContext::Return(ir::ValueId id) {
  SetOutput(0, id);
  return build.status();
}

Status OpContext::Return(ir::ValueId id, fb::ActivationFunctionType activation) {
  MICRORT_RETURN_IF_ERROR(Activate(activation, &id));
  return Return(id);
}

Status OpContext::Clamp(float lowest, float highest, ir::ValueId* id) {
  if (op.wants_output(0) && IsQuantizedActivation(op.output_tensor(0))) {
    ir::Quantization quantization;
    MICRORT_RETURN_IF_ERROR(ReadQuantization(op.output_tensor(0), &quantization));
    if (StaysWithin(DTypeOf(op.output_tensor(0).type()), quantization, lowest, highest)) return Status();
  }
  *id = build.Unary(schema::UnaryKind::Clip, *id, lowest, highest);
  return build.status();
}

Status OpContext::Activate(fb::ActivationFunctionType activation, ir::ValueId* id) {
  switch (activation) {
    case fb::ActivationFunctionType::None:
      return Status();
    case fb::ActivationFunctionType::Relu:
      return Clamp(0, std::numeric_limits<float>::infinity(), id);
    case fb::ActivationFunctionType::ReluN1To1:
      return Clamp(-1, 1, id);
    case fb::ActivationFunctionType::Relu6:
      return Clamp(0, 6, id);
    case fb::ActivationFunctionType::Tanh:
      *id = build.Tanh(*id);
      return build.status();
    case fb::ActivationFunctionType::SignBit:
      return Unsupported("the fused activation SIGN_BIT");
  }
  return Invalid("fused activation {}", static_cast<int>(activation));
}

void OpContext::BindVariable(size_t i, const std::string& variable) {
  subgraph.tensors().At(op.output_index(i)).variable = variable;
}

Result<ir::ValueId> OpContext::ReadVariable(size_t i) {
  return subgraph.variables().ReadReal(VariableKey(subgraph.index(), op.input_index(i)), build);
}

Status OpContext::AssignVariable(size_t i, ir::ValueId id) {
  MICRORT_RETURN_IF_ERROR(build.status());
  return subgraph.variables().AssignReal(VariableKey(subgraph.index(), op.input_index(i)), id, build);
}

Result<ir::ValueId> OpContext::ReadHidden(size_t i) {
  return subgraph.variables().Read(HiddenKey(subgraph.index(), op.output_index(0), i));
}

void OpContext::AssignHidden(size_t i, ir::ValueId id) {
  if (!build.status().ok()) return;
  subgraph.variables().Assign(HiddenKey(subgraph.index(), op.output_index(0), i), id);
}

Result<std::vector<int64_t>> OpContext::ConstantIntegers(size_t i) {
  std::vector<int64_t> list;
  const ir::ValueId id = stored(i);
  if (id != ir::kNoValue && ir::AnyIntegersOf(value(id), &list)) return list;
  return Unsupported("input {} must be a constant of integers{}", i, WhatDecides(subgraph.assembler(), id));
}

Result<std::vector<float>> OpContext::ConstantFloats(size_t i) {
  std::vector<float> list;
  const ir::ValueId id = input(i);
  if (id != ir::kNoValue && ir::FloatsOf(value(id), &list)) return list;
  return Unsupported("input {} must be a constant of floats{}", i, WhatDecides(subgraph.assembler(), id));
}

Result<int64_t> OpContext::ConstantScalar(size_t i) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> all, ConstantIntegers(i));
  if (all.size() != 1) return Invalid("input {}: expected one number, found {}", i, all.size());
  return all[0];
}

ir::ValueId OpContext::Int64(size_t i) {
  const ir::ValueId id = stored(i);
  return id == ir::kNoValue || value(id).dtype == DType::kInt64 ? id : build.Cast(id, DType::kInt64);
}

ir::ValueId OpContext::Scalar(DType dtype, float v) {
  const ir::ValueId scalar = build.Scalar(v);
  return build.As(scalar, dtype);
}

Status OpContext::CheckRank(size_t i, int rank) {
  if (!op.has_input(i)) return Invalid("input {} is absent", i);
  const ir::ValueId id = input(i);
  if (value(id).rank() == rank) return Status();
  return Invalid("input {}: expected {} dimensions, found {}", i, rank, value(id).rank());
}

}  // namespace micrort::frontend::tflite
