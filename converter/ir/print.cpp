#include "converter/ir/print.h"

#include "converter/ir/options_bytes.h"
#include "flatbuffers/minireflect.h"

namespace micrort::ir {

namespace {

// Commas go between dimensions, not after the last.
std::string Join(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : separator) + parts[i];
  return text;
}

std::string Names(const Graph& graph, const std::vector<ValueId>& ids) {
  std::vector<std::string> names;
  for (ValueId id : ids) names.push_back(id == kNoValue ? "-" : graph.value(id).name);
  return Join(names, ", ");
}

// The default of a struct is written out like any other value of it; takes it away.
std::string WithoutDefaults(std::string options) {
  const std::string none = "activation: { kind: None, a: 0.0, b: 0.0 }";
  for (const std::string& text : {", " + none, none + ", ", none}) {
    const size_t at = options.find(text);
    if (at != std::string::npos) options.erase(at, text.size());
  }
  return options.find_first_not_of("{ }") == std::string::npos ? "" : options;
}

std::string Declaration(const Graph& graph, const char* what, ValueId id) {
  return std::string(what) + " " + graph.value(id).name + " " + PrintType(graph.value(id)) + "\n";
}

}  // namespace

std::string PrintType(const Value& value) {
  const std::string dtype = Name(value.dtype);
  if (!value.has_shape) return dtype + "?";
  std::vector<std::string> dims;
  for (size_t i = 0; i < value.shape.size(); ++i) {
    const std::string name = i < value.dim_names.size() ? ReadableDim(value.dim_names[i]) : "";
    if (value.shape[i] != kDynamic) {
      dims.push_back(std::to_string(value.shape[i]));
    } else {
      dims.push_back(name.empty() ? "?" : name);
    }
  }
  return dtype + "[" + Join(dims, ",") + "]";
}

std::string PrintOptions(const Node& node) {
  const std::string bytes = OptionsBytes(node);
  const auto* op = flatbuffers::GetRoot<schema::Operator>(bytes.data());
  if (op->options() == nullptr) return "";
  const flatbuffers::TypeTable* options = schema::OptionsTypeTable();
  const auto type = static_cast<size_t>(op->options_type());
  const flatbuffers::TypeCode code = options->type_codes[type];
  flatbuffers::ToStringVisitor visitor(" ", false, "", true);
  flatbuffers::IterateObject(static_cast<const uint8_t*>(op->options()),
                             options->type_refs[code.sequence_ref](), &visitor);
  return WithoutDefaults(std::move(visitor.s));
}

std::string PrintNode(const Graph& graph, const Node& node) {
  const std::string options = PrintOptions(node);
  return Names(graph, node.outputs) + " = " + schema::EnumNameOpCode(node.code) + "(" +
         Names(graph, node.inputs) + ")" + (options.empty() ? "" : " ") + options;
}

namespace {

std::string Print(const Graph& graph, const std::string& indent) {
  std::string text;
  for (ValueId id : graph.inputs) text += indent + Declaration(graph, "input", id);
  for (const auto& node : graph.nodes) {
    text += indent + PrintNode(graph, *node) + "\n";
    for (const auto& body : node->bodies) {
      text += indent + "  graph " + body->name + "\n" + Print(*body, indent + "    ");
    }
  }
  for (ValueId id : graph.outputs) text += indent + Declaration(graph, "output", id);
  for (size_t k = 0; k < graph.states.size(); ++k) {
    text += indent + "state " + graph.value(graph.outputs[graph.caller_outputs() + k]).name + " becomes " +
            graph.value(graph.inputs[graph.caller_inputs() + k]).name + "\n";
  }
  return text;
}

}  // namespace

std::string Print(const Graph& graph) { return Print(graph, ""); }

}  // namespace micrort::ir
