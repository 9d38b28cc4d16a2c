#include "converter/frontend/tflite/tensor_table.h"

#include <utility>

#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

bool IsComplex(const fb::Tensor& tensor) { return tensor.type() == fb::TensorType::Complex64; }

bool IsHandle(const fb::Tensor& tensor) { return tensor.type() == fb::TensorType::Resource; }

TensorTable::TensorTable(const ModelFile& file, const fb::SubGraph& subgraph, GraphAssembler* assembler)
    : file_(file),
      subgraph_(subgraph),
      assembler_(*assembler),
      graph_(assembler->graph()),
      values_(subgraph.tensors() == nullptr ? 0 : subgraph.tensors()->size()) {}

Status TensorTable::Prepare(int32_t index, bool* reachable) {
  TensorValue& value = At(index);
  *reachable &= !value.is_unreachable;
  const fb::Tensor& tensor = Stated(index);
  if (value.outer != ir::kNoValue) {
    const ir::ValueId captured = assembler_.Capture(std::exchange(value.outer, ir::kNoValue));
    (IsQuantizedActivation(tensor) ? value.real : value.stored) = captured;
  }
  if (value.is_set() || value.is_unreachable || IsHandle(tensor) || tensor.is_variable()) return Status();
  return AddConstant(index).WithPrefix("tensor %d ('%s')", index, NameOf(tensor).c_str());
}

// A tensor without data that nothing writes is a constant if it has no elements.
Status TensorTable::AddConstant(int32_t index) {
  const fb::Tensor& tensor = Stated(index);
  bool is_empty = false;
  if (tensor.shape() != nullptr) {
    for (const int32_t dim : *tensor.shape()) is_empty |= dim == 0;
  }
  if (!IsConstant(file_, tensor) && !is_empty)
    return Invalid("it is read, but no input, constant or output of an earlier operator");
  ir::Value value;
  MICRORT_RETURN_IF_ERROR(ReadConstant(file_, tensor, &value));
  value.in_source = false;
  At(index).stored = graph_.AddValue(std::move(value));
  return Status();
}

// A number in its place, so that the importer can go on until its error is reported.
ir::ValueId TensorTable::Misused(int32_t index, ir::Builder& builder) {
  misuse_ = Invalid("tensor {} ('{}') is a variable: expected a value", index, NameOf(Stated(index)));
  return builder.Scalar(0);
}

ir::ValueId TensorTable::Real(int32_t index, ir::Builder& builder) {
  TensorValue& value = At(index);
  if (!value.is_set()) return Misused(index, builder);
  if (value.real != ir::kNoValue) return value.real;
  const ir::Value& stored = graph_.value(value.stored);
  const fb::Tensor& tensor = Stated(index);
  if (stored.is_constant() && !stored.quantization.empty()) {
    ir::Value real = DequantizedConstant(stored);
    real.name += "/real";
    value.real = graph_.AddValue(std::move(real));
  } else if (!stored.is_constant() && IsQuantizedActivation(tensor)) {
    ir::Quantization quantization;
    (void)ReadQuantization(tensor, &quantization);  // checked when the value was made
    value.real = Dequantized(builder, value.stored, quantization);
  } else {
    value.real = value.stored;
  }
  return value.real;
}

ir::ValueId TensorTable::Stored(int32_t index, ir::Builder& builder) {
  TensorValue& value = At(index);
  if (!value.is_set()) return Misused(index, builder);
  if (value.stored != ir::kNoValue) return value.stored;
  const fb::Tensor& tensor = Stated(index);
  ir::Quantization quantization;
  (void)ReadQuantization(tensor, &quantization);  // checked when the value was made
  const DType dtype = DTypeOf(tensor.type());
  value.stored = QuantizedTo(builder, value.real, dtype, quantization);
  graph_.value(value.stored).quantization = quantization;
  return value.stored;
}

Status TensorTable::Take(int32_t index, ir::ValueId id, bool is_stored, ir::Builder& builder,
                         ir::ValueId first_new) {
  const fb::Tensor& tensor = Stated(index);
  TensorValue& value = At(index);
  if (value.is_set() || value.is_unreachable || IsConstant(file_, tensor))
    return Invalid("tensor {} ('{}') is written twice", index, NameOf(tensor));
  const DType dtype = IsComplex(tensor) ? DType::kFloat32 : DTypeOf(tensor.type());
  if (dtype == DType::kUnknown) return Unsupported("element type {}", TypeName(tensor.type()));
  const DType given = graph_.value(id).dtype;
  if (IsQuantizedActivation(tensor) && !is_stored && given == DType::kFloat32) {
    MICRORT_RETURN_IF_ERROR(Quantize(index, dtype, builder, &id));
  } else {
    id = value.stored = given == dtype || given == DType::kUnknown ? id : builder.Cast(id, dtype);
    if (dtype == DType::kInt16 && graph_.value(id).quantization.empty())
      MICRORT_RETURN_IF_ERROR(ReadQuantization(tensor, &graph_.value(id).quantization));
  }
  MICRORT_RETURN_IF_ERROR(builder.status());
  const std::string name = NameOf(tensor);
  if (!name.empty()) assembler_.NameResult(name, id, first_new);
  return Status();
}

// Integers, or, where kernels do not compute with them, real numbers within their range.
Status TensorTable::Quantize(int32_t index, DType dtype, ir::Builder& builder, ir::ValueId* id) {
  ir::Quantization quantization;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(Stated(index), &quantization));
  if (quantization.scales.size() != 1) return Unsupported("computed values with several scales");
  if (HasIntegerKernels(dtype)) {
    *id = At(index).stored = QuantizedTo(builder, *id, dtype, quantization);
  } else {
    *id = At(index).real = Saturated(builder, *id, dtype, quantization);
  }
  return Status();
}

}  // namespace micrort::frontend::tflite
