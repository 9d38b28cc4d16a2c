#include "converter/frontend/onnx/function_definition.h"

#include <google/protobuf/unknown_field_set.h>

#include <algorithm>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/model_reader.h"
#include "converter/frontend/onnx/names.h"

namespace micrort::frontend::onnx {

namespace {

using ::google::protobuf::UnknownField;
using ::onnx::AttributeProto;
using ::onnx::FunctionProto;
using ::onnx::NodeProto;

// Fields that are younger than the ONNX library that the converter may be built with: it keeps them as bytes.
constexpr int kFunctionAttributeDefaults = 11;  // FunctionProto.attribute_proto, IR version 9
constexpr int kFunctionOverload = 13;           // FunctionProto.overload, IR version 10
constexpr int kNodeOverload = 8;                // NodeProto.overload, IR version 10

template <typename Message>
std::vector<std::string> YoungField(const Message& message, int number) {
  std::vector<std::string> found;
  const auto& fields = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    if (field.number() == number && field.type() == UnknownField::TYPE_LENGTH_DELIMITED)
      found.push_back(field.length_delimited());
  }
  return found;
}

std::string Key(const std::string& domain, const std::string& name,
                const std::vector<std::string>& overload) {
  std::string key = CanonicalDomain(domain);
  if (!key.empty()) key += ".";
  key += name;
  return overload.empty() || overload.back().empty() ? key : key + ":" + overload.back();
}

const AttributeProto* Find(const std::string& name, const AttributeProto* begin, const AttributeProto* end) {
  const auto* found = std::find_if(begin, end, [&](const AttributeProto& a) { return a.name() == name; });
  return found == end ? nullptr : found;
}

const AttributeProto* FindIn(const NodeProto& node, const std::string& name) {
  for (const AttributeProto& a : node.attribute()) {
    if (a.name() == name) return &a;
  }
  return nullptr;
}

class Binder {
 public:
  Binder(const FunctionDefinition& function, const NodeProto& call) : function_(function), call_(call) {}

  void Bind(NodeProto* node) const {
    auto& attributes = *node->mutable_attribute();
    for (int i = attributes.size() - 1; i >= 0; --i) {
      if (!BindOne(&attributes[i])) attributes.DeleteSubrange(i, 1);
    }
  }

  // Adds what Bind copies to *bytes, until they are over `most`.
  void AddBytes(const NodeProto& node, size_t most, size_t* bytes) const {
    for (const AttributeProto& a : node.attribute()) {
      if (*bytes > most) return;
      const AttributeProto* value = a.ref_attr_name().empty() ? nullptr : ValueOf(a);
      if (value != nullptr) *bytes += value->ByteSizeLong();
      for (const NodeProto& inner : a.g().node()) AddBytes(inner, most, bytes);
      for (const auto& graph : a.graphs()) {
        for (const NodeProto& inner : graph.node()) AddBytes(inner, most, bytes);
      }
    }
  }

 private:
  // What the call or the function's defaults say of an attribute; null if neither does.
  const AttributeProto* ValueOf(const AttributeProto& a) const {
    if (const AttributeProto* value = FindIn(call_, a.ref_attr_name())) return value;
    const auto* defaults = function_.defaults.data();
    return Find(a.ref_attr_name(), defaults, defaults + function_.defaults.size());
  }

  // False if nothing says what the attribute is.
  bool BindOne(AttributeProto* a) const {
    if (a->has_g()) BindGraph(a->mutable_g());
    for (auto& graph : *a->mutable_graphs()) BindGraph(&graph);
    if (a->ref_attr_name().empty()) return true;
    const AttributeProto* value = ValueOf(*a);
    if (value == nullptr) return false;
    const std::string name = a->name();
    *a = *value;
    a->set_name(name);
    return true;
  }

  void BindGraph(::onnx::GraphProto* graph) const {
    for (NodeProto& node : *graph->mutable_node()) Bind(&node);
  }

  const FunctionDefinition& function_;
  const NodeProto& call_;
};

}  // namespace

std::string FunctionKey(const NodeProto& call) {
  return Key(call.domain(), call.op_type(), YoungField(call, kNodeOverload));
}

Status ReadFunction(const FunctionProto& proto, FunctionDefinition* out) {
  MICRORT_RETURN_IF_ERROR(CheckNames(proto));
  out->proto = &proto;
  out->key = Key(proto.domain(), proto.name(), YoungField(proto, kFunctionOverload));
  MICRORT_RETURN_IF_ERROR(CheckText(out->key, "the name of a function"));
  MICRORT_RETURN_IF_ERROR(
      ReadOpsets(proto.opset_import(), &out->opsets).WithPrefix("function '%s'", out->key.c_str()));
  for (const std::string& bytes : YoungField(proto, kFunctionAttributeDefaults)) {
    AttributeProto a;
    if (!a.ParseFromString(bytes) || !IsText(a.name()))
      return Invalid("function '{}': an attribute cannot be read", out->key);
    out->defaults.push_back(std::move(a));
  }
  return Status();
}

Status CheckCall(const FunctionDefinition& function, const NodeProto& call) {
  const FunctionProto& proto = *function.proto;
  if (call.input_size() > proto.input_size() || call.output_size() > proto.output_size())
    return Invalid("the function has {} inputs and {} outputs, the call {} and {}", proto.input_size(),
                   proto.output_size(), call.input_size(), call.output_size());
  const auto* defaults = function.defaults.data();
  for (const AttributeProto& a : call.attribute()) {
    const auto& names = proto.attribute();
    const bool declared = std::find(names.begin(), names.end(), a.name()) != names.end();
    if (declared || Find(a.name(), defaults, defaults + function.defaults.size()) != nullptr) continue;
    return Invalid("the function has no attribute '{}'", a.name());
  }
  return Status();
}

size_t BoundBytes(const FunctionDefinition& function, const NodeProto& call, const NodeProto& node,
                  size_t most) {
  size_t bytes = 0;
  Binder(function, call).AddBytes(node, most, &bytes);
  return bytes;
}

void BindAttributes(const FunctionDefinition& function, const NodeProto& call, NodeProto* node) {
  Binder(function, call).Bind(node);
}

}  // namespace micrort::frontend::onnx
