#include "converter/frontend/onnx/names.h"

#include <algorithm>

namespace micrort::frontend::onnx {

namespace {

template <typename List>
bool AllText(const List& names) {
  return std::all_of(names.begin(), names.end(), IsText);
}

bool HasTextNames(const ::onnx::NodeProto& node) {
  const auto& attributes = node.attribute();
  return IsText(node.name()) && IsText(node.op_type()) && IsText(node.domain()) && AllText(node.input()) &&
         AllText(node.output()) &&
         std::all_of(attributes.begin(), attributes.end(), [](const auto& a) { return IsText(a.name()); });
}

bool HasTextNames(const ::onnx::ValueInfoProto& info) {
  const auto& dims = info.type().tensor_type().shape().dim();
  return IsText(info.name()) &&
         std::all_of(dims.begin(), dims.end(), [](const auto& dim) { return IsText(dim.dim_param()); });
}

bool HasTextNames(const ::onnx::TensorProto& tensor) { return IsText(tensor.name()); }

// The index of the first entry with a name that is not text.
template <typename List>
Status CheckList(const List& list, const char* what) {
  for (int i = 0; i < list.size(); ++i) {
    if (!HasTextNames(list[i]))
      return MICRORT_ERROR(kInvalidModel, "%s %d: a name is not UTF-8 text", what, i);
  }
  return Status();
}

}  // namespace

Status CheckNames(const ::onnx::GraphProto& graph) {
  if (!IsText(graph.name())) return MICRORT_ERROR(kInvalidModel, "the graph's name is not UTF-8 text");
  MICRORT_RETURN_IF_ERROR(CheckList(graph.input(), "input"));
  MICRORT_RETURN_IF_ERROR(CheckList(graph.output(), "output"));
  MICRORT_RETURN_IF_ERROR(CheckList(graph.initializer(), "initializer"));
  MICRORT_RETURN_IF_ERROR(CheckList(graph.node(), "node"));
  for (const auto& node : graph.node()) {
    for (const auto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      if (Status s = CheckNames(attribute.g()); !s.ok()) {
        return s.WithPrefix("graph '%s' of node '%s'", attribute.name().c_str(), node.name().c_str());
      }
    }
  }
  return Status();
}

Status CheckNames(const ::onnx::FunctionProto& function) {
  if (!AllText(function.input()) || !AllText(function.output()) || !AllText(function.attribute())) {
    return MICRORT_ERROR(kInvalidModel, "a name of function '%s' is not UTF-8 text",
                         Shown(function.name()).c_str());
  }
  return CheckList(function.node(), "node");
}

}  // namespace micrort::frontend::onnx
