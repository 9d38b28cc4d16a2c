#include "converter/quantize/int16_roles.h"

#include <algorithm>

#include "converter/quantize/int8_plan.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/quantized_weights.h"
#include "kernels/elementwise/softmax_s16.h"
#include "kernels/elementwise/unary_s16.h"
#include "kernels/layer_s16/epilogue_s16.h"
#include "kernels/reduce/reduce_s16.h"

namespace micrort::quantize {
namespace {

bool HasForm(schema::UnaryKind kind) {
  switch (kind) {
    case schema::UnaryKind::Clip:
    case schema::UnaryKind::LeakyRelu:
    case schema::UnaryKind::Abs:
    case schema::UnaryKind::Sigmoid:
    case schema::UnaryKind::Tanh:
      return true;
    default:
      return false;
  }
}

bool HasForm(const schema::BinaryOptionsT& binary) {
  const bool exists = binary.kind == schema::BinaryKind::Add || binary.kind == schema::BinaryKind::Sub ||
                      binary.kind == schema::BinaryKind::Mul;
  return exists && IsClamp(binary.activation);
}

bool HasForm(const schema::SoftmaxOptionsT& softmax, const ir::Value& x) {
  const bool is_last = softmax.axis == -1 || softmax.axis == x.rank() - 1;
  return is_last && !softmax.log && x.rank() > 0 && x.shape.back() != ir::kDynamic &&
         x.shape.back() <= static_cast<int64_t>(kMaxSoftmaxS16Row);
}

bool IsShort(const ir::Value& x, const ir::Value& y) {
  return x.is_static() && y.is_static() && y.elements() > 0 &&
         x.elements() / y.elements() <= static_cast<int64_t>(kMaxReduceS16Elements);
}

bool HasForm(const ir::Graph& graph, const ir::Node& node) {
  const ir::Value &x = graph.value(node.inputs[0]), &y = graph.value(node.outputs[0]);
  switch (node.code) {
    case schema::OpCode::Unary:
      return HasForm(node.as<schema::UnaryOptionsT>().kind);
    case schema::OpCode::Binary:
      return HasForm(node.as<schema::BinaryOptionsT>());
    case schema::OpCode::Softmax:
      return HasForm(node.as<schema::SoftmaxOptionsT>(), x);
    case schema::OpCode::Reduce:
      return node.as<schema::ReduceOptionsT>().kind == schema::ReduceKind::Mean && IsShort(x, y);
    case schema::OpCode::Resize:
      return node.as<schema::ResizeOptionsT>().mode == schema::ResizeMode::Nearest;
    case schema::OpCode::Pool2D: {
      const auto& pool = node.as<schema::Pool2DOptionsT>();
      return pool.kind != schema::PoolKind::Average || !pool.count_include_pad;
    }
    case schema::OpCode::Custom:
      return false;
    default:
      return !IsLayer(node.code) || (!node.has_input(Layer::kResidual) && !node.has_input(Layer::kSlopes));
  }
}

// The largest ratio of the scale of the layer's sums to the scale of its output.
double LargestRatio(const ir::Graph& graph, const ir::Node& node, const Quantizations& quantization) {
  const double x = static_cast<double>(quantization.at(node.inputs[Layer::kX]).scales[0]);
  const double y = static_cast<double>(quantization.at(node.outputs[0]).scales[0]);
  const std::optional<Layer> layer = DescribeLayer(graph, node);
  if (!layer) return x * static_cast<double>(quantization.at(node.inputs[Layer::kWeights]).scales[0]) / y;
  const std::vector<float> scales =
      SymmetricScales(LargestPerChannel(graph.value(layer->weights), layer->channel_axis));
  return x * static_cast<double>(*std::max_element(scales.begin(), scales.end())) / y;
}

}  // namespace

Int8Role Int16RoleOf(const ir::Graph& graph, const ir::Node& node) {
  const Int8Role role = RoleOf(graph, node);
  if (role == Int8Role::kNone || !HasForm(graph, node)) return Int8Role::kNone;
  // Averages have the scale of what they are of.
  return node.code == schema::OpCode::Pool2D ? Int8Role::kPassThrough : role;
}

std::optional<float> Int16OutputScale(const ir::Node& node) {
  if (node.code == schema::OpCode::Softmax) return kSoftmaxS16Scale;
  if (node.code != schema::OpCode::Unary) return std::nullopt;
  const schema::UnaryKind kind = node.as<schema::UnaryOptionsT>().kind;
  if (kind == schema::UnaryKind::Sigmoid || kind == schema::UnaryKind::Tanh) return kTableS16Scale;
  return std::nullopt;
}

bool RoundsInt16(const ir::Node& node) {
  switch (node.code) {
    case schema::OpCode::Unary:
    case schema::OpCode::Binary:
    case schema::OpCode::Softmax:
    case schema::OpCode::Reduce:
    case schema::OpCode::Pool2D:
      return true;
    default:
      return IsLayer(node.code);
  }
}

std::string WhyNotInt16(const ir::Graph& graph, const ir::Node& node, const Quantizations& quantization) {
  const ir::Quantization& y = quantization.at(node.outputs[0]);
  if (IsLayer(node.code) && LargestRatio(graph, node, quantization) >= kMaxScaleRatioS16)
    return "its sums are too large beside its output";
  if (node.code == schema::OpCode::Concat) {
    const bool differ = std::any_of(node.inputs.begin(), node.inputs.end(),
                                    [&](ir::ValueId input) { return !(quantization.at(input) == y); });
    if (differ) return "its inputs have several scales";
  }
  if (const auto scale = Int16OutputScale(node); scale && y.scales[0] != *scale)
    return "its output has no scale of its own";
  return "";
}

}  // namespace micrort::quantize
