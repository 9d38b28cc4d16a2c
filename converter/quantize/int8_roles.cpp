#include "converter/passes/match.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/limits.h"

namespace micrort::quantize {
namespace {

// An activation that is no clamp has been split off; a layer that still has one computes in float.
bool HasIntegerEpilogue(const ir::Node& node) {
  return IsClamp(*passes::ActivationOf(const_cast<ir::Node&>(node)));
}

// Computed by a table of 256 entries.
bool IsTableActivation(schema::UnaryKind kind) {
  switch (kind) {
    case schema::UnaryKind::Clip:
    case schema::UnaryKind::LeakyRelu:
    case schema::UnaryKind::Sigmoid:
    case schema::UnaryKind::Tanh:
    case schema::UnaryKind::HardSigmoid:
    case schema::UnaryKind::HardSwish:
    case schema::UnaryKind::Silu:
    case schema::UnaryKind::Abs:
    case schema::UnaryKind::Neg:
    case schema::UnaryKind::Elu:
    case schema::UnaryKind::Selu:
    case schema::UnaryKind::Softplus:
    case schema::UnaryKind::Softsign:
    case schema::UnaryKind::Celu:
    case schema::UnaryKind::Gelu:
    case schema::UnaryKind::GeluTanh:
    case schema::UnaryKind::Mish:
      return true;
    default:
      return false;
  }
}

Int8Role BinaryRole(schema::BinaryKind kind) {
  switch (kind) {
    case schema::BinaryKind::Add:
    case schema::BinaryKind::Sub:
    case schema::BinaryKind::Mul:
    case schema::BinaryKind::Max:
    case schema::BinaryKind::Min:
      return Int8Role::kElementwise;
    default:
      return Int8Role::kNone;
  }
}

// Both operands are int8 then, with one scale each.
bool IsProductOfActivations(const ir::Graph& graph, const ir::Node& node) {
  if (node.has_input(Layer::kBias) || node.has_input(Layer::kResidual) || !HasIntegerEpilogue(node))
    return false;
  const std::vector<int64_t>& a = graph.value(node.inputs[Layer::kX]).shape;
  const bool is_computed = !graph.value(node.inputs[Layer::kWeights]).is_constant();
  return is_computed && !a.empty() && a.back() != ir::kDynamic && a.back() <= kMaxInt8Sum;
}

Int8Role PoolRole(schema::PoolKind kind) {
  if (kind == schema::PoolKind::Sum) return Int8Role::kNone;
  return kind == schema::PoolKind::Max ? Int8Role::kPassThrough : Int8Role::kElementwise;
}

// Linear resizing stays in the range of its input.
Int8Role ResizeRole(const schema::ResizeOptionsT& options) {
  const bool is_linear = options.mode == schema::ResizeMode::Linear && !options.antialias;
  return is_linear || options.mode == schema::ResizeMode::Nearest ? Int8Role::kPassThrough : Int8Role::kNone;
}

// By operator and options alone.
Int8Role NominalRole(const ir::Graph& graph, const ir::Node& node) {
  switch (node.code) {
    case schema::OpCode::MatMul:
      if (IsProductOfActivations(graph, node)) return Int8Role::kElementwise;
      [[fallthrough]];
    case schema::OpCode::Conv2D:
    case schema::OpCode::DepthwiseConv2D:
    case schema::OpCode::ConvTranspose2D:
      return CanBeInt8Layer(graph, node) && HasIntegerEpilogue(node) ? Int8Role::kLayer : Int8Role::kNone;
    case schema::OpCode::Binary:
      return BinaryRole(node.as<schema::BinaryOptionsT>().kind);
    case schema::OpCode::Unary:
      return IsTableActivation(node.as<schema::UnaryOptionsT>().kind) ? Int8Role::kElementwise
                                                                      : Int8Role::kNone;
    case schema::OpCode::Reduce:
      return node.as<schema::ReduceOptionsT>().kind == schema::ReduceKind::Mean ? Int8Role::kElementwise
                                                                                : Int8Role::kNone;
    case schema::OpCode::Softmax:
      return Int8Role::kElementwise;
    case schema::OpCode::Pool2D:
      return PoolRole(node.as<schema::Pool2DOptionsT>().kind);
    case schema::OpCode::Resize:
      return ResizeRole(node.as<schema::ResizeOptionsT>());
    case schema::OpCode::Pad:
      return node.has_input(2) ? Int8Role::kNone : Int8Role::kPassThrough;
    case schema::OpCode::Reshape:
    case schema::OpCode::Transpose:
    case schema::OpCode::Slice:
    case schema::OpCode::Gather:
      return Int8Role::kPassThrough;
    case schema::OpCode::Concat:
      return Int8Role::kConcat;
    default:
      return Int8Role::kNone;
  }
}

}  // namespace

std::vector<size_t> Int8Inputs(const ir::Node& node, Int8Role role) {
  std::vector<size_t> positions;
  const bool is_product = node.code == schema::OpCode::MatMul && role == Int8Role::kElementwise;
  const bool all = role == Int8Role::kConcat || node.code == schema::OpCode::Binary || is_product;
  const size_t count = all ? node.inputs.size() : 1;
  for (size_t i = 0; i < count; ++i) positions.push_back(i);
  return positions;
}

bool CanBeInt8Layer(const ir::Graph& graph, const ir::Node& node) {
  return node.code != schema::OpCode::Recurrent && DescribeLayer(graph, node).has_value();
}

bool IsClamp(const schema::Activation& activation) {
  return activation.kind() == schema::ActivationKind::None ||
         activation.kind() == schema::ActivationKind::Clip;
}

Int8Role RoleOf(const ir::Graph& graph, const ir::Node& node) {
  const Int8Role role = NominalRole(graph, node);
  if (role == Int8Role::kNone || node.outputs.size() != 1) return Int8Role::kNone;
  if (graph.value(node.outputs[0]).dtype != DType::kFloat32) return Int8Role::kNone;
  for (const size_t i : Int8Inputs(node, role)) {
    if (!node.has_input(i) || graph.value(node.inputs[i]).dtype != DType::kFloat32) return Int8Role::kNone;
  }
  return role;
}

}  // namespace micrort::quantize
