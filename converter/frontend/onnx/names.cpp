#include "converter/frontend/onnx/names.h"

#include <array>

namespace micrort::frontend::onnx {

namespace {

constexpr char kName[] = "a name";

Status CheckNamesOf(const ::onnx::NodeProto& node) {
  MICRORT_RETURN_IF_ERROR(CheckTexts(std::array{node.name(), node.op_type(), node.domain()}, kName));
  MICRORT_RETURN_IF_ERROR(CheckTexts(node.input(), kName));
  MICRORT_RETURN_IF_ERROR(CheckTexts(node.output(), kName));
  for (const auto& attribute : node.attribute()) MICRORT_RETURN_IF_ERROR(CheckText(attribute.name(), kName));
  return Status();
}

Status CheckNamesOf(const ::onnx::ValueInfoProto& info) {
  for (const auto& dim : info.type().tensor_type().shape().dim())
    MICRORT_RETURN_IF_ERROR(CheckText(dim.dim_param(), kName));
  return CheckText(info.name(), kName);
}

Status CheckNamesOf(const ::onnx::TensorProto& tensor) { return CheckText(tensor.name(), kName); }

template <typename List>
Status CheckList(const List& list, const char* what) {
  for (int i = 0; i < list.size(); ++i)
    MICRORT_RETURN_IF_ERROR(CheckNamesOf(list[i]).WithPrefix("%s %d", what, i));
  return Status();
}

}  // namespace

Status CheckNames(const ::onnx::GraphProto& graph) {
  MICRORT_RETURN_IF_ERROR(CheckText(graph.name(), "the graph's name"));
  MICRORT_RETURN_IF_ERROR(CheckList(graph.input(), "input"));
  MICRORT_RETURN_IF_ERROR(CheckList(graph.output(), "output"));
  MICRORT_RETURN_IF_ERROR(CheckList(graph.initializer(), "initializer"));
  MICRORT_RETURN_IF_ERROR(CheckList(graph.node(), "node"));
  for (const auto& node : graph.node()) {
    for (const auto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      if (Status s = CheckNames(attribute.g()); !s.ok())
        return s.WithPrefix("graph '%s' of node '%s'", attribute.name().c_str(), node.name().c_str());
    }
  }
  return Status();
}

Status CheckNames(const ::onnx::FunctionProto& function) {
  const std::string what = "a name of function '" + Shown(function.name()) + "'";
  MICRORT_RETURN_IF_ERROR(CheckTexts(function.input(), what.c_str()));
  MICRORT_RETURN_IF_ERROR(CheckTexts(function.output(), what.c_str()));
  MICRORT_RETURN_IF_ERROR(CheckTexts(function.attribute(), what.c_str()));
  return CheckList(function.node(), "node");
}

}  // namespace micrort::frontend::onnx
