#include <algorithm>
#include <cmath>

#include "converter/custom/custom_ops.h"
#include "converter/ir/op_facts.h"
#include "converter/passes/match.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/limits.h"
#include "micrort/custom_op.h"

namespace micrort::quantize {
namespace {

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

bool HasInt8Form(schema::BinaryKind kind) {
  switch (kind) {
    case schema::BinaryKind::Add:
    case schema::BinaryKind::Sub:
    case schema::BinaryKind::Mul:
    case schema::BinaryKind::Max:
    case schema::BinaryKind::Min:
      return true;
    default:
      return false;
  }
}

// Both operands are int8 then, with one scale each.
bool IsProductOfActivations(const ir::Graph& graph, const ir::Node& node) {
  if (node.has_input(Layer::kBias) || node.has_input(Layer::kResidual) || !HasIntegerEpilogue(graph, node))
    return false;
  const std::vector<int64_t>& a = graph.value(node.inputs[Layer::kX]).shape;
  const bool is_computed = !graph.value(node.inputs[Layer::kWeights]).is_constant();
  return is_computed && !a.empty() && a.back() != ir::kDynamic && a.back() <= kMaxInt8Sum;
}

// Linear resizing stays in the range of its input.
bool HasInt8Form(const schema::ResizeOptionsT& options) {
  const bool is_linear = options.mode == schema::ResizeMode::Linear && !options.antialias;
  return is_linear || options.mode == schema::ResizeMode::Nearest;
}

Int8Role LayerRole(const ir::Graph& graph, const ir::Node& node) {
  if (node.code == schema::OpCode::MatMul && IsProductOfActivations(graph, node))
    return Int8Role::kElementwise;
  return CanBeInt8Layer(graph, node) && HasIntegerEpilogue(graph, node) ? Int8Role::kLayer : Int8Role::kNone;
}

// As its implementation says, where there is one.
bool HasInt8Form(const schema::CustomOptionsT& options) {
  const micrort_custom_op* op = CurrentOps().FindCustom(options.domain.c_str(), options.name.c_str());
  return op != nullptr && op->struct_bytes == sizeof(*op) && (op->flags & MICRORT_CUSTOM_INT8) != 0;
}

bool HasInt8Form(const ir::Node& node) {
  switch (node.code) {
    case schema::OpCode::Binary:
      return HasInt8Form(node.as<schema::BinaryOptionsT>().kind);
    case schema::OpCode::Unary:
      return IsTableActivation(node.as<schema::UnaryOptionsT>().kind);
    case schema::OpCode::Reduce:
      return node.as<schema::ReduceOptionsT>().kind == schema::ReduceKind::Mean;
    case schema::OpCode::Pool2D:
      return node.as<schema::Pool2DOptionsT>().kind != schema::PoolKind::Sum;
    case schema::OpCode::Resize:
      return HasInt8Form(node.as<schema::ResizeOptionsT>());
    case schema::OpCode::Pad:
      // An infinite fill, as before the pooling of an open size, has no place in a range.
      return !node.has_input(2) && std::isfinite(node.as<schema::PadOptionsT>().value);
    case schema::OpCode::Custom:
      return HasInt8Form(node.as<schema::CustomOptionsT>());
    default:
      return false;
  }
}

// By operator and options alone.
Int8Role NominalRole(const ir::Graph& graph, const ir::Node& node) {
  const OpTraits& traits = TraitsOf(node.code);
  if (traits.int8 == Int8Role::kLayer) return LayerRole(graph, node);
  if (traits.has_int8 == Holds::kByOptions && !HasInt8Form(node)) return Int8Role::kNone;
  // The largest of several elements is one of them.
  return ir::MovementOf(graph, node) == ir::Movement::kChooses ? Int8Role::kPassThrough : traits.int8;
}

}  // namespace

bool CanBeInt8Layer(const ir::Graph& graph, const ir::Node& node) {
  return IsLayer(node.code) && DescribeLayer(graph, node).has_value();
}

bool IsClamp(const schema::Activation& activation) {
  return activation.kind() == schema::ActivationKind::None ||
         activation.kind() == schema::ActivationKind::Clip;
}

bool HasIntegerEpilogue(const ir::Graph& graph, const ir::Node& node) {
  const schema::Activation& activation = *passes::ActivationOf(const_cast<ir::Node&>(node));
  if (activation.kind() != schema::ActivationKind::PRelu) return IsClamp(activation);
  const ir::Value& slopes = graph.value(node.inputs[Layer::kSlopes]);
  const float* const begin = slopes.as<float>();
  return std::all_of(begin, begin + slopes.elements(), [](float slope) { return std::isfinite(slope); });
}

Int8Role RoleOf(const ir::Graph& graph, const ir::Node& node) {
  const Int8Role role = NominalRole(graph, node);
  if (role == Int8Role::kNone || node.outputs.size() != 1) return Int8Role::kNone;
  if (graph.value(node.outputs[0]).dtype != DType::kFloat32) return Int8Role::kNone;
  for (const size_t i : NarrowInputs(node, role)) {
    if (!node.has_input(i) || graph.value(node.inputs[i]).dtype != DType::kFloat32) return Int8Role::kNone;
  }
  return role;
}

}  // namespace micrort::quantize
