#include "converter/ir/number_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace micrort::ir {

namespace {

using schema::BinaryKind;
using schema::OpCode;
using schema::ReduceKind;
using schema::UnaryKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr NumberRange kAny = {-kInfinity, kInfinity};

// Weights of layers decide no sizes.
constexpr int64_t kMostElements = 1 << 16;

template <typename T>
NumberRange RangeOfElements(const Value& value) {
  const T* first = value.as<T>();
  const auto [least, most] = std::minmax_element(first, first + value.elements());
  return {static_cast<double>(*least), static_cast<double>(*most)};
}

NumberRange RangeOfConstant(const Value& value) {
  if (value.elements() == 0 || value.elements() > kMostElements) return kAny;
  switch (value.dtype) {
    case DType::kFloat32:
      return RangeOfElements<float>(value);
    case DType::kFloat64:
      return RangeOfElements<double>(value);
    case DType::kInt32:
      return RangeOfElements<int32_t>(value);
    case DType::kInt64:
      return RangeOfElements<int64_t>(value);
    default:
      return kAny;
  }
}

NumberRange RangeOfType(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return {0, 1};
    case DType::kUInt8:
      return {0, 255};
    case DType::kInt8:
      return {-128, 127};
    case DType::kUInt16:
      return {0, 65535};
    case DType::kInt16:
      return {-32768, 32767};
    default:
      return kAny;
  }
}

// Neither ends nor what is between them are NaN.
bool IsOrdered(const NumberRange& r) { return r.least <= r.most; }

NumberRange Both(const NumberRange& a, const NumberRange& b) {
  const NumberRange both = {std::max(a.least, b.least), std::min(a.most, b.most)};
  return IsOrdered(both) ? both : b;
}

// Of functions that never fall.
template <typename F>
NumberRange Rising(const NumberRange& x, F f) {
  return {f(x.least), f(x.most)};
}

// The divisor is not 0.
NumberRange Quotient(const NumberRange& a, const NumberRange& b, bool is_integer) {
  if (b.least <= 0 && b.most >= 0) return kAny;
  NumberRange range = {kInfinity, -kInfinity};
  for (const double x : {a.least, a.most}) {
    for (const double y : {b.least, b.most}) {
      if (std::isinf(x) && std::isinf(y)) return kAny;
      const double q =
          is_integer ? x / y : static_cast<double>(static_cast<float>(x) / static_cast<float>(y));
      range = Hull(range, {q, q});
    }
  }
  // However integers are rounded.
  return is_integer ? NumberRange{std::floor(range.least), std::ceil(range.most)} : range;
}

// By Python's rule, or by C's.
NumberRange Remainder(const NumberRange& a, const NumberRange& b) {
  const double size = std::max(std::fabs(b.least), std::fabs(b.most));
  const bool is_positive = a.least >= 0 && b.least >= 0;
  return {is_positive ? 0 : -size, size};
}

// Results of an operator that hands on elements of these inputs.
std::optional<std::vector<size_t>> HandedOn(const Graph& graph, const Node& node) {
  std::vector<size_t> all;
  switch (node.code) {
    case OpCode::Transpose:
    case OpCode::Reshape:
    case OpCode::Slice:
    case OpCode::Expand:
    case OpCode::Tile:
    case OpCode::TopK:
    case OpCode::Unique:
    case OpCode::GatherND:
    case OpCode::GatherElements:
      return std::vector<size_t>{0};
    case OpCode::Gather:
      if (graph.value(node.inputs[0]).dtype != graph.value(node.outputs[0]).dtype) return std::nullopt;
      return std::vector<size_t>{0};
    case OpCode::Select:
      return std::vector<size_t>{1, 2};
    case OpCode::ScatterND:
      if (node.as<schema::ScatterNDOptionsT>().reduction != schema::ScatterReduction::None)
        return std::nullopt;
      return std::vector<size_t>{0, 2};
    case OpCode::ScatterElements:
      if (node.as<schema::ScatterElementsOptionsT>().reduction != schema::ScatterReduction::None)
        return std::nullopt;
      return std::vector<size_t>{0, 2};
    case OpCode::Concat:
      for (size_t i = 0; i < node.inputs.size(); ++i) all.push_back(i);
      return all;
    default:
      return std::nullopt;
  }
}

}  // namespace

NumberRange NumberRanges::Of(const Graph& graph, ValueId id) const {
  if (id == kNoValue) return kAny;
  const Value& value = graph.value(id);
  // What is quantized stands for other numbers.
  if (!value.quantization.empty()) return kAny;
  if (value.is_constant()) return RangeOfConstant(value);
  const auto known = known_.find({&graph, id});
  return known != known_.end() ? known->second : RangeOfType(value.dtype);
}

void NumberRanges::Visit(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (!node->bodies.empty()) {
      VisitBodies(graph, *node);
      continue;
    }
    const NumberRange range = OfNode(graph, *node);
    const bool is_known = IsOrdered(range) && (!std::isinf(range.least) || !std::isinf(range.most));
    if (is_known && !node->outputs.empty()) known_[{&graph, node->outputs[0]}] = range;
  }
}

void NumberRanges::VisitBodies(const Graph& graph, const Node& node) {
  for (const auto& body : node.bodies) {
    BindInputs(graph, node, *body);
    Visit(*body);
  }
  const bool is_loop = node.code == OpCode::Loop;
  const size_t carried = is_loop ? node.as<schema::LoopOptionsT>().carried : 0;
  const size_t first_result = is_loop && node.as<schema::LoopOptionsT>().has_condition ? 1 : 0;
  // Carried values may grow with each iteration.
  for (size_t i = carried; i < node.outputs.size(); ++i) {
    NumberRange range = Of(*node.bodies[0], node.bodies[0]->outputs[i + first_result]);
    for (const auto& body : node.bodies) range = Hull(range, Of(*body, body->outputs[i + first_result]));
    known_[{&graph, node.outputs[i]}] = range;
  }
}

void NumberRanges::BindInputs(const Graph& graph, const Node& node, const Graph& body) {
  for (size_t k = 0; k < body.inputs.size(); ++k) {
    const size_t source = k + FirstBodyInput(node);
    const bool is_captured = source >= FirstCapture(node);
    if (is_captured && node.has_input(source))
      known_[{&body, body.inputs[k]}] = Of(graph, node.inputs[source]);
  }
}

NumberRange NumberRanges::OfAll(const Graph& graph, const Node& node,
                                const std::vector<size_t>& inputs) const {
  NumberRange range = {kInfinity, -kInfinity};
  for (const size_t i : inputs) range = Hull(range, Of(graph, node.inputs[i]));
  return range;
}

NumberRange NumberRanges::OfNode(const Graph& graph, const Node& node) const {
  if (const auto inputs = HandedOn(graph, node)) return OfAll(graph, node, *inputs);
  switch (node.code) {
    case OpCode::Unary:
      return OfUnary(graph, node);
    case OpCode::Binary:
      return OfBinary(graph, node);
    case OpCode::Cast:
      return OfCast(graph, node);
    case OpCode::Reduce:
      return OfReduce(graph, node);
    case OpCode::Shape:
    case OpCode::NonZero:
      return {0, kInfinity};
    case OpCode::Softmax:
      return node.as<schema::SoftmaxOptionsT>().log ? NumberRange{-kInfinity, 0} : NumberRange{0, 1};
    default:
      return kAny;
  }
}

NumberRange NumberRanges::OfCast(const Graph& graph, const Node& node) const {
  if (node.options.type != schema::Options::NONE && node.as<schema::CastOptionsT>().reinterpret) return kAny;
  const NumberRange x = Of(graph, node.inputs[0]);
  const DType to = graph.value(node.outputs[0]).dtype;
  if (IsFloat(to)) return x;
  if (to != DType::kInt32 && to != DType::kInt64) return RangeOfType(to);
  return Rising(x, [](double v) { return std::trunc(v); });
}

NumberRange NumberRanges::OfUnary(const Graph& graph, const Node& node) const {
  const auto& options = node.as<schema::UnaryOptionsT>();
  const NumberRange x = Of(graph, node.inputs[0]);
  switch (options.kind) {
    case UnaryKind::Identity:
      return x;
    case UnaryKind::Floor:
      return Rising(x, [](double v) { return std::floor(v); });
    case UnaryKind::Ceil:
      return Rising(x, [](double v) { return std::ceil(v); });
    case UnaryKind::Round:
      return Rising(x, [](double v) { return std::nearbyint(v); });
    case UnaryKind::Abs:
      return {x.least > 0 ? x.least : x.most < 0 ? -x.most : 0, std::max(-x.least, x.most)};
    case UnaryKind::Sqrt:
      return Rising(x, [](double v) { return std::sqrt(std::max(v, 0.0)); });
    case UnaryKind::Sigmoid:
    case UnaryKind::HardSigmoid:
      return {0, 1};
    case UnaryKind::Tanh:
    case UnaryKind::Sin:
    case UnaryKind::Cos:
    case UnaryKind::Sign:
    case UnaryKind::Erf:
    case UnaryKind::Softsign:
      return {-1, 1};
    default:
      return UnaryRange(options, x).value_or(RangeOfType(graph.value(node.outputs[0]).dtype));
  }
}

NumberRange NumberRanges::OfBinary(const Graph& graph, const Node& node) const {
  const auto& options = node.as<schema::BinaryOptionsT>();
  const NumberRange a = Of(graph, node.inputs[0]), b = Of(graph, node.inputs[1]);
  const DType dtype = graph.value(node.outputs[0]).dtype;
  NumberRange range = RangeOfType(dtype);
  if (options.kind == BinaryKind::Div) {
    range = Quotient(a, b, !IsFloat(dtype));
  } else if (options.kind == BinaryKind::Mod || options.kind == BinaryKind::Fmod) {
    range = Remainder(a, b);
  } else if (const auto found = BinaryRange(options.kind, a, b)) {
    range = *found;
  }
  const schema::Activation& activation = options.activation;
  if (activation.kind() == schema::ActivationKind::None) return range;
  const NumberRange clip = {static_cast<double>(activation.a()), static_cast<double>(activation.b())};
  return activation.kind() == schema::ActivationKind::Clip ? Both(range, clip) : kAny;
}

NumberRange NumberRanges::OfReduce(const Graph& graph, const Node& node) const {
  const ReduceKind kind = node.as<schema::ReduceOptionsT>().kind;
  if (kind == ReduceKind::ArgMax || kind == ReduceKind::ArgMin) return {0, kInfinity};
  const bool stays = kind == ReduceKind::Max || kind == ReduceKind::Min || kind == ReduceKind::Mean;
  return stays ? Of(graph, node.inputs[0]) : kAny;
}

}  // namespace micrort::ir
