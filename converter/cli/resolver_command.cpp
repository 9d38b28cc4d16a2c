#include "converter/cli/resolver_command.h"

#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "converter/cli/operator_types.h"
#include "micrort/model.h"
#include "runtime/model/schema_text.h"
#include "tools/io/printable.h"

namespace micrort::cli {
namespace {

struct Operators {
  std::map<schema::OpCode, OpTypes> types;
  std::set<std::string> custom;

  void Add(schema::OpCode code, OpTypes of_one) {
    OpTypes& all = types[code];
    all = all | of_one;
  }
};

// As the arguments of an Add function.
std::string Arguments(OpTypes types) {
  if (types == kAllTypes) return "";
  constexpr struct {
    OpTypes type;
    const char* name;
  } kNames[] = {{kFloat32, "kFloat32"},
                {kInt8Float32, "kInt8Float32"},
                {kPlainFloat32, "kPlainFloat32"},
                {kFloat16, "kFloat16"},
                {kInt8, "kInt8"},
                {kInt8Tflite, "kInt8Tflite"},
                {kPlainInt8Float32, "kPlainInt8Float32"},
                {kOtherTypes, "kOtherTypes"},
                {kInt16, "kInt16"},
                {kNarrowWeights, "kNarrowWeights"},
                {kInt4Weights, "kInt4Weights"}};
  std::string text;
  uint32_t named = 0;
  for (const auto& [type, name] : kNames) {
    if ((types & type) != type || (named | type) == named) continue;
    text += std::string(text.empty() ? "" : " | ") + "micrort::" + name;
    named |= type;
  }
  return text;
}

Status Collect(const std::string& path, Operators* operators) {
  MICRORT_ASSIGN_OR_RETURN(const Model model, Model::FromFile(path.c_str()));
  for (const schema::Subgraph* subgraph : *schema::GetModel(model.file().data())->subgraphs()) {
    for (uint32_t i = 0; i < Count(subgraph->operators()); ++i) {
      const schema::Operator& op = *subgraph->operators()->Get(i);
      if (const auto* custom = op.options_as_CustomOptions(); custom != nullptr) {
        operators->custom.insert(io::Printable(std::string(micrort::Text(custom->domain())) + "." +
                                               micrort::Text(custom->name())));
      } else if (!HasOperands(op)) {
        return MICRORT_ERROR(kInvalidModel, "%s: operator %u (%s) lacks an input or output", path.c_str(), i,
                             schema::EnumNameOpCode(op.code()));
      } else {
        operators->Add(op.code(), TypesOf(*subgraph, op));
        if (IsDepthwise(*subgraph, op))
          operators->Add(schema::OpCode::DepthwiseConv2D, TypesOf(*subgraph, op));
      }
    }
  }
  return Status();
}

Status CheckFunction(const std::string& name) {
  bool is_identifier = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  for (const char c : name)
    is_identifier = is_identifier && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
  if (is_identifier) return Status();
  return MICRORT_ERROR(kInvalidArgument, "--function: expected a C++ identifier, found '%s'", name.c_str());
}

}  // namespace

Status ResolverFor(const std::vector<std::string>& models, const std::string& function, std::string* header) {
  MICRORT_RETURN_IF_ERROR(CheckFunction(function));
  Operators operators;
  for (const std::string& path : models) MICRORT_RETURN_IF_ERROR(Collect(path, &operators));
  std::string text = "#pragma once\n// Written by mnnconvert --emit resolver: the operators of";
  for (const std::string& path : models)
    text += " " + io::Printable(std::filesystem::u8path(path).filename().u8string());
  text += ", and no others.\n\n#include <micrort/op_resolver.h>\n\n";
  for (const std::string& name : operators.custom)
    text += "// To be added by the program, with AddCustom(): " + name + "\n";
  text += "inline micrort::OpResolver " + function + "() {\n  return micrort::OpResolver()";
  for (const auto& [code, types] : operators.types)
    text += std::string("\n      .Add") + schema::EnumNameOpCode(code) + "(" + Arguments(types) + ")";
  *header = text + ";\n}\n";
  return Status();
}

}  // namespace micrort::cli
