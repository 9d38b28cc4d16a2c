#include "converter/passes/match.h"

#include <algorithm>
#include <set>
#include <string>

namespace micrort::passes {
namespace {

using schema::OpCode;

}  // namespace

bool IsUnary(const ir::Node& node, schema::UnaryKind kind) {
  return node.code == OpCode::Unary && node.as<schema::UnaryOptionsT>().kind == kind;
}

bool IsBinary(const ir::Node& node, schema::BinaryKind kind) {
  return node.code == OpCode::Binary && node.as<schema::BinaryOptionsT>().kind == kind &&
         !HasActivation(node);
}

schema::Activation* ActivationOf(ir::Node& node) {
  switch (node.code) {
    case OpCode::Conv2D:
      return &node.as<schema::Conv2DOptionsT>().activation;
    case OpCode::DepthwiseConv2D:
      return &node.as<schema::DepthwiseConv2DOptionsT>().activation;
    case OpCode::ConvTranspose2D:
      return &node.as<schema::ConvTranspose2DOptionsT>().activation;
    case OpCode::MatMul:
      return &node.as<schema::MatMulOptionsT>().activation;
    case OpCode::Binary:
      return &node.as<schema::BinaryOptionsT>().activation;
    default:
      return nullptr;
  }
}

bool HasActivation(const ir::Node& node) {
  const schema::Activation* activation = ActivationOf(const_cast<ir::Node&>(node));
  return activation != nullptr && activation->kind() != schema::ActivationKind::None;
}

bool HasConstantWeights(const ir::Graph& graph, const ir::Node& node) {
  if (!IsLayer(node.code)) return false;
  const ir::Value& weights = graph.value(node.inputs[kLayerWeights]);
  if (!weights.is_constant() || weights.dtype != DType::kFloat32) return false;
  return node.code != OpCode::MatMul || weights.rank() == 2;
}

bool SameShape(const ir::Value& a, const ir::Value& b) {
  if (!a.has_shape || !b.has_shape || a.shape != b.shape) return false;
  const auto name_of = [](const ir::Value& value, size_t i) {
    return i < value.dim_names.size() ? value.dim_names[i] : std::string();
  };
  for (size_t i = 0; i < a.shape.size(); ++i) {
    if (a.shape[i] != ir::kDynamic) continue;
    if (name_of(a, i).empty() || name_of(a, i) != name_of(b, i)) return false;
  }
  return true;
}

std::optional<float> ScalarOf(const ir::Value& value) {
  if (!value.is_constant() || value.dtype != DType::kFloat32 || value.elements() != 1) return std::nullopt;
  return *value.as<float>();
}

std::optional<std::vector<float>> PerChannel(const ir::Value& value, int rank, int64_t channels) {
  if (!value.is_constant() || value.dtype != DType::kFloat32 || value.rank() > rank) return std::nullopt;
  const int64_t count = value.elements();
  const bool per_channel = count == channels && !value.shape.empty() && value.shape.back() == channels;
  if (count != 1 && !per_channel) return std::nullopt;
  std::vector<float> result(static_cast<size_t>(channels), *value.as<float>());
  if (per_channel) std::copy_n(value.as<float>(), channels, result.begin());
  return result;
}

std::optional<std::vector<int64_t>> Integers(const ir::Value& value) {
  if (!value.is_constant()) return std::nullopt;
  const auto count = static_cast<size_t>(value.elements());
  if (value.dtype == DType::kInt64) {
    return std::vector<int64_t>(value.as<int64_t>(), value.as<int64_t>() + count);
  }
  if (value.dtype == DType::kInt32) {
    return std::vector<int64_t>(value.as<int32_t>(), value.as<int32_t>() + count);
  }
  return std::nullopt;
}

}  // namespace micrort::passes
