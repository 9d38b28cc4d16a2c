#include "converter/frontend/tflite/op_context.h"

#include <limits>

#include "converter/frontend/tflite/graph_importer.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

namespace {

int32_t IndexAt(const flatbuffers::Vector<int32_t>* list, size_t i) {
  return list == nullptr || i >= list->size() ? -1 : list->Get(static_cast<flatbuffers::uoffset_t>(i));
}

}  // namespace

OpContext::OpContext(const fb::Operator& op, ir::Builder& builder, GraphImporter& importer)
    : build(builder),
      graphs(importer),
      op_(op),
      name_(importer.file().OpName(op)),
      version_(importer.file().OpVersion(op)),
      outputs_(output_count()) {}

Span<const uint8_t> OpContext::custom_options() const { return graphs.file().CustomOptions(op_); }

size_t OpContext::input_count() const { return op_.inputs() == nullptr ? 0 : op_.inputs()->size(); }
bool OpContext::has_input(size_t i) const { return IndexAt(op_.inputs(), i) >= 0; }
size_t OpContext::output_count() const { return op_.outputs() == nullptr ? 0 : op_.outputs()->size(); }
bool OpContext::wants_output(size_t i) const { return IndexAt(op_.outputs(), i) >= 0; }

int32_t OpContext::input_index(size_t i) const { return IndexAt(op_.inputs(), i); }
int32_t OpContext::output_index(size_t i) const { return IndexAt(op_.outputs(), i); }

const fb::Tensor& OpContext::tensor(size_t i) const { return graphs.TensorAt(IndexAt(op_.inputs(), i)); }
const fb::Tensor& OpContext::output_tensor(size_t i) const {
  return graphs.TensorAt(IndexAt(op_.outputs(), i));
}

ir::ValueId OpContext::input(size_t i) {
  return has_input(i) ? graphs.RealValue(IndexAt(op_.inputs(), i), build) : ir::kNoValue;
}

ir::ValueId OpContext::stored(size_t i) {
  return has_input(i) ? graphs.StoredValue(IndexAt(op_.inputs(), i), build) : ir::kNoValue;
}

bool OpContext::IsConstantInput(size_t i) { return has_input(i) && x(i).is_constant(); }

void OpContext::SetOutput(size_t i, ir::ValueId id) {
  if (i < outputs_.size()) outputs_[i] = {id, false};
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
  if (wants_output(0) && IsQuantizedActivation(output_tensor(0))) {
    ir::Quantization quantization;
    MICRORT_RETURN_IF_ERROR(ReadQuantization(output_tensor(0), &quantization));
    if (StaysWithin(DTypeOf(output_tensor(0).type()), quantization, lowest, highest)) return Status();
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
      *id = build.Unary(schema::UnaryKind::Tanh, *id);
      return build.status();
    case fb::ActivationFunctionType::SignBit:
      return MICRORT_ERROR(kUnsupported, "the fused activation SIGN_BIT");
  }
  return MICRORT_ERROR(kInvalidModel, "fused activation %d", static_cast<int>(activation));
}

Status OpContext::Axis(int64_t axis, int rank, int* out) const {
  if (axis < -rank || axis >= rank) {
    return MICRORT_ERROR(kInvalidModel, "axis %lld of %d dimensions", static_cast<long long>(axis), rank);
  }
  *out = static_cast<int>(axis < 0 ? axis + rank : axis);
  return Status();
}

Status OpContext::ConstantIntegers(size_t i, std::vector<int64_t>* out) {
  const ir::ValueId id = stored(i);
  if (id != ir::kNoValue && ir::AnyIntegersOf(value(id), out)) return Status();
  return MICRORT_ERROR(kUnsupported, "input %zu must be a constant of integers", i);
}

Status OpContext::ConstantFloats(size_t i, std::vector<float>* out) {
  const ir::ValueId id = input(i);
  if (id != ir::kNoValue && ir::FloatsOf(value(id), out)) return Status();
  return MICRORT_ERROR(kUnsupported, "input %zu must be a constant of floats", i);
}

Status OpContext::ConstantScalar(size_t i, int64_t* out) {
  std::vector<int64_t> all;
  MICRORT_RETURN_IF_ERROR(ConstantIntegers(i, &all));
  if (all.size() != 1)
    return MICRORT_ERROR(kInvalidModel, "input %zu: expected one number, found %zu", i, all.size());
  *out = all[0];
  return Status();
}

ir::ValueId OpContext::Int64(size_t i) {
  const ir::ValueId id = stored(i);
  return id == ir::kNoValue || value(id).dtype == DType::kInt64 ? id : build.Cast(id, DType::kInt64);
}

ir::ValueId OpContext::Scalar(DType dtype, float v) {
  const ir::ValueId scalar = build.Scalar(v);
  return dtype == DType::kFloat32 ? scalar : build.Cast(scalar, dtype);
}

Status OpContext::CheckRank(size_t i, int rank) {
  if (!has_input(i)) return MICRORT_ERROR(kInvalidModel, "input %zu is absent", i);
  const ir::ValueId id = input(i);
  if (value(id).rank() == rank) return Status();
  return MICRORT_ERROR(kInvalidModel, "input %zu: expected %d dimensions, found %d", i, rank,
                       value(id).rank());
}

Status ToInt32(int64_t v, const char* what, int32_t* out) {
  if (v < std::numeric_limits<int32_t>::min() || v > std::numeric_limits<int32_t>::max()) {
    return MICRORT_ERROR(kInvalidModel, "%s: %lld does not fit 32 bits", what, static_cast<long long>(v));
  }
  *out = static_cast<int32_t>(v);
  return Status();
}

}  // namespace micrort::frontend::tflite
