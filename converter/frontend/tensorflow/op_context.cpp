#include "converter/frontend/tensorflow/op_context.h"

#include <algorithm>
#include <limits>

#include "converter/frontend/common/what_decides.h"

namespace micrort::frontend::tensorflow {

namespace {

// The nearest number of the type: a conversion out of its range is undefined.
template <typename T>
T Clamped(double v) {
  using Limits = std::numeric_limits<T>;
  if (v >= static_cast<double>(Limits::max())) return Limits::max();
  return v > static_cast<double>(Limits::min()) ? static_cast<T>(v) : Limits::min();
}

}  // namespace

Status CheckFloat32(const OpContext& c) {
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (c.x(i).dtype != DType::kFloat32) return Unsupported("of type {}", Name(c.x(i).dtype));
  }
  return Status();
}

Status ReturnComposed(OpContext& c, const char* op, const std::vector<ir::ValueId>& tensors,
                      const std::vector<ComposedOption>& others) {
  MICRORT_RETURN_IF_ERROR(CheckFloat32(c));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<ir::ValueId> results, c.Torch(op, tensors, others));
  return c.Return(results);
}

Result<std::vector<int32_t>> ReadDistinctAxes(const OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> list, c.ConstantIntegers(1));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, NormalizeAxes(list, c.rank()));
  MICRORT_RETURN_IF_ERROR(CheckDistinct(axes));
  std::sort(axes.begin(), axes.end());
  return axes;
}

Result<std::vector<int64_t>> OpContext::ConstantIntegers(size_t i) const {
  std::vector<int64_t> list;
  if (i < input_count() && ir::IntegersOf(x(i), &list)) return list;
  return Unsupported("input {} is no constant list of integers{}", i,
                     i < input_count() ? WhatDecides(assembler_, input(i)).c_str() : "");
}

Result<std::vector<float>> OpContext::ConstantFloats(size_t i) const {
  std::vector<float> list;
  if (i < input_count() && ir::FloatsOf(x(i), &list)) return list;
  return Unsupported("input {} is no constant of floats{}", i,
                     i < input_count() ? WhatDecides(assembler_, input(i)).c_str() : "");
}

Result<int64_t> OpContext::ConstantInteger(size_t i) const {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> values, ConstantIntegers(i));
  if (values.size() != 1) return Invalid("input {}: expected one integer, found {}", i, values.size());
  return values[0];
}

Result<int> OpContext::ConstantAxis(size_t i, int rank) const {
  MICRORT_ASSIGN_OR_RETURN(const int64_t axis, ConstantInteger(i));
  return Axis(axis, rank);
}

Status OpContext::ExpectRank(size_t i, int expected) const {
  if (rank(i) == expected) return Status();
  return Invalid("input {}: expected {} dimensions, found {}", i, expected, rank(i));
}

Result<ir::ValueId> OpContext::Onnx(const char* op, const std::vector<ir::ValueId>& inputs,
                                    const std::vector<OnnxAttribute>& attributes) {
  constexpr int kOnnxVersion = 21;
  MICRORT_ASSIGN_OR_RETURN(const std::vector<ir::ValueId> outputs,
                           AddOnnxOperator(op, kOnnxVersion, inputs, attributes, build));
  return outputs[0];
}

Result<std::vector<ir::ValueId>> OpContext::Torch(const char* op, const std::vector<ir::ValueId>& tensors,
                                                  const std::vector<ComposedOption>& others,
                                                  const std::vector<bool>& is_complex) {
  MICRORT_RETURN_IF_ERROR(build.status());
  std::vector<ComposedOperand> operands;
  for (size_t i = 0; i < tensors.size(); ++i)
    operands.push_back({tensors[i], i < is_complex.size() && is_complex[i]});
  return CallComposed(assembler_, {node().name(), this->op(), 0}, op, operands, others);
}

ir::ValueId OpContext::Scalar(DType dtype, double v) {
  if (dtype == DType::kFloat64) return build.Constant<double>({}, {v});
  if (dtype == DType::kInt64) return build.Integer(Clamped<int64_t>(v));
  if (dtype == DType::kInt32) return build.Constant<int32_t>({}, {Clamped<int32_t>(v)});
  const ir::ValueId scalar = build.Scalar(static_cast<float>(v));
  return build.As(scalar, dtype);
}

ir::ValueId OpContext::AsInt64(ir::ValueId id) {
  return value(id).dtype == DType::kInt64 ? id : build.Cast(id, DType::kInt64);
}

}  // namespace micrort::frontend::tensorflow
