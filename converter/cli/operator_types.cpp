#include "converter/cli/operator_types.h"

#include <algorithm>
#include <vector>

#include "kernels/elementwise/binary_s8.h"
#include "kernels/elementwise/unary_library.h"
#include "runtime/model/schema_text.h"
#include "runtime/ops/op_traits.h"

namespace micrort::cli {
namespace {

class Operands {
 public:
  Operands(const schema::Subgraph& graph, const schema::Operator& op) : graph_(graph), op_(op) {}

  const schema::Tensor& input(size_t i) const { return At(Ints(op_.inputs())[i]); }
  const schema::Tensor& output() const { return At(Ints(op_.outputs())[0]); }
  size_t inputs() const { return Ints(op_.inputs()).size(); }
  bool is_tflite() const { return op_.rounding() == schema::Rounding::Tflite; }

 private:
  const schema::Tensor& At(int32_t i) const { return *graph_.tensors()->Get(static_cast<uint32_t>(i)); }

  const schema::Subgraph& graph_;
  const schema::Operator& op_;
};

OpTypes Int8(const Operands& operands) { return operands.is_tflite() ? kInt8Tflite : kInt8; }

schema::WeightCompute ComputeOf(const schema::Operator& op) {
  if (const auto* o = op.options_as_Conv2DOptions(); o != nullptr) return o->compute();
  if (const auto* o = op.options_as_DepthwiseConv2DOptions(); o != nullptr) return o->compute();
  if (const auto* o = op.options_as_ConvTranspose2DOptions(); o != nullptr) return o->compute();
  const auto* const o = op.options_as_MatMulOptions();
  return o == nullptr ? schema::WeightCompute::Float : o->compute();
}

OpTypes TypesOfLayer(const schema::Operator& op, const Operands& operands) {
  const DType x = TypeOf(operands.input(kLayerX)), weights = TypeOf(operands.input(kLayerWeights));
  if (x == DType::kInt8)
    return TypeOf(operands.output()) == DType::kFloat32 ? kPlainInt8Float32 : Int8(operands);
  if (x == DType::kFloat16) return kFloat16;
  if (x == DType::kInt16) return kInt16;
  if (x != DType::kFloat32) return kOtherTypes;
  const schema::WeightCompute compute = ComputeOf(op);
  if (compute == schema::WeightCompute::Half || TypeOf(operands.output()) == DType::kFloat16)
    return kFloat32 | kFloat16;
  const bool is_dynamic = compute == schema::WeightCompute::DynamicInt8 ||
                          compute == schema::WeightCompute::SymmetricInt8 ||
                          compute == schema::WeightCompute::GroupedInt8;
  const bool has_integers = weights == DType::kInt8 || weights == DType::kInt4;
  const OpTypes computed = is_dynamic && has_integers ? kPlainInt8Float32 : kPlainFloat32;
  if (weights == DType::kInt4) return computed | kInt4Weights;
  return weights == DType::kFloat32 || computed == kPlainInt8Float32 ? computed : computed | kNarrowWeights;
}

bool IsQuantized(const schema::Tensor& tensor) {
  const DType dtype = TypeOf(tensor);
  return (dtype == DType::kInt8 || dtype == DType::kUInt8) && !QuantizationOf(tensor).empty();
}

// Whether floats are what it is computed in, and kernels convert it.
bool IsReal(const schema::Tensor& tensor) {
  return IsQuantized(tensor) || TypeOf(tensor) == DType::kFloat32 || TypeOf(tensor) == DType::kFloat16;
}

OpTypes TypesOfUnary(const schema::Operator& op, const Operands& operands) {
  const schema::Tensor &x = operands.input(0), &y = operands.output();
  if (operands.is_tflite()) return kInt16;
  const auto kind = static_cast<UnaryKind>(op.options_as_UnaryOptions()->kind());
  if (!IsReal(x) || !IsReal(y)) return kFloat32 | kOtherTypes;
  return IsQuantized(x) && IsQuantized(y) && !IsTrigonometric(kind) ? kInt8 : kFloat32;
}

OpTypes TypesOfBinary(const schema::Operator& op, const Operands& operands) {
  const auto& options = *op.options_as_BinaryOptions();
  if (operands.is_tflite() && TypeOf(operands.input(0)) == DType::kInt16) return kInt16;
  const schema::Tensor* const tensors[] = {&operands.input(0), &operands.input(1), &operands.output()};
  const auto all = [&](bool (*is)(const schema::Tensor&)) {
    return std::all_of(std::begin(tensors), std::end(tensors),
                       [=](const auto* tensor) { return is(*tensor); });
  };
  const auto kind = static_cast<BinaryKind>(options.kind());
  const bool is_comparison = IsComparison(kind) && IsReal(*tensors[0]) && IsReal(*tensors[1]);
  if (!is_comparison && !all(IsReal)) return kOtherTypes;
  if (all([](const schema::Tensor& t) { return TypeOf(t) == DType::kInt8 && IsQuantized(t); })) {
    if (operands.is_tflite()) return kInt8Tflite;
    const schema::ActivationKind activation =
        options.activation() == nullptr ? schema::ActivationKind::None : options.activation()->kind();
    const bool clamps =
        activation == schema::ActivationKind::None || activation == schema::ActivationKind::Clip;
    return clamps && HasBinaryS8(kind) ? kInt8 : kInt8Float32;
  }
  return all([](const schema::Tensor& t) { return !IsQuantized(t); }) ? kFloat32 : kInt8Float32;
}

OpTypes TypesOfOneInput(const Operands& operands) {
  switch (TypeOf(operands.input(0))) {
    case DType::kFloat32:
      return kFloat32;
    case DType::kFloat16:
      return kFloat16;
    case DType::kInt8:
      return Int8(operands);
    case DType::kInt16:
      return kInt16;
    default:
      return kOtherTypes;
  }
}

// How many of the operator's first inputs TypesOf reads.
size_t LookedAtInputs(schema::OpCode code) {
  switch (code) {
    case schema::OpCode::Conv2D:
    case schema::OpCode::DepthwiseConv2D:
    case schema::OpCode::ConvTranspose2D:
    case schema::OpCode::MatMul:
    case schema::OpCode::Binary:
      return 2;
    case schema::OpCode::Pool2D:
    case schema::OpCode::Softmax:
    case schema::OpCode::Unary:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

bool HasOperands(const schema::Operator& op) {
  const auto inputs = Ints(op.inputs()), outputs = Ints(op.outputs());
  const size_t count = LookedAtInputs(op.code());
  if (count == 0) return true;
  if (inputs.size() < count || outputs.size() == 0 || outputs[0] < 0) return false;
  return std::all_of(inputs.begin(), inputs.begin() + count, [](int32_t id) { return id >= 0; });
}

OpTypes TypesOf(const schema::Subgraph& graph, const schema::Operator& op) {
  const Operands operands(graph, op);
  switch (op.code()) {
    case schema::OpCode::Conv2D:
    case schema::OpCode::DepthwiseConv2D:
    case schema::OpCode::ConvTranspose2D:
    case schema::OpCode::MatMul:
      return TypesOfLayer(op, operands);
    case schema::OpCode::Pool2D:
    case schema::OpCode::Softmax:
      return TypesOfOneInput(operands);
    case schema::OpCode::Unary:
      return TypesOfUnary(op, operands);
    case schema::OpCode::Binary:
      return TypesOfBinary(op, operands);
    default:
      return kAllTypes;
  }
}

bool IsDepthwise(const schema::Subgraph& graph, const schema::Operator& op) {
  const auto* const options = op.options_as_Conv2DOptions();
  if (options == nullptr) return false;
  const Shape filters = ShapeOf(Operands(graph, op).input(kLayerWeights));
  return filters.rank == 4 && filters[3] == 1 && filters[0] == options->groups();
}

}  // namespace micrort::cli
