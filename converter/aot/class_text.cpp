#include "converter/aot/class_text.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace micrort::aot {
namespace {

std::vector<std::string> SplitName(const std::string& name) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t at = name.find("::"); at != std::string::npos; at = name.find("::", begin)) {
    parts.push_back(name.substr(begin, at - begin));
    begin = at + 2;
  }
  parts.push_back(name.substr(begin));
  return parts;
}

bool IsIdentifier(const std::string& text) {
  // C++20's keywords, alternative tokens included, what the code names itself, and two macros of compilers.
  static const std::set<std::string> kReserved = {
      "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
      "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char8_t",
      "char16_t",    "char32_t", "class",      "co_await",  "co_return", "co_yield",     "compl",
      "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
      "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
      "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
      "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
      "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
      "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
      "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
      "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
      "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
      "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
      "xor_eq",      "micrort",  "std",        "linux",     "unix"};
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return false;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  }
  return kReserved.count(text) == 0;
}

std::string SnakeCase(const std::string& name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool starts_word =
        std::isupper(c) != 0 && i > 0 && name[i - 1] != '_' &&
        (std::islower(static_cast<unsigned char>(name[i - 1])) != 0 ||
         (i + 1 < name.size() && std::islower(static_cast<unsigned char>(name[i + 1])) != 0));
    if (starts_word) out += '_';
    out += static_cast<char>(std::tolower(c));
  }
  return out;
}

Status TypeOf(const Tensor& tensor, std::string* type) {
  switch (tensor.dtype) {
    case DType::kFloat32:
      *type = "float";
      return Status();
    case DType::kFloat64:
      *type = "double";
      return Status();
    case DType::kBool:
      *type = "bool";
      return Status();
    case DType::kFloat16:
    case DType::kBFloat16:
      *type = "uint16_t";  // its bits
      return Status();
    case DType::kInt8:
    case DType::kUInt8:
    case DType::kInt16:
    case DType::kUInt16:
    case DType::kInt32:
    case DType::kUInt32:
    case DType::kInt64:
    case DType::kUInt64:
      *type = std::string(Name(tensor.dtype)) + "_t";
      return Status();
    default:
      return MICRORT_ERROR(kUnsupported, "tensor '%.100s' has type %s, which C++ has no name for",
                           tensor.name, Name(tensor.dtype));
  }
}

// Views of one program.
using Views = std::vector<int32_t>;

Views InputsOf(const AotProgram& program) { return {program.inputs().begin(), program.inputs().end()}; }

Views OutputsOf(const AotProgram& program) { return {program.outputs().begin(), program.outputs().end()}; }

Views StatesOf(const AotProgram& program) {
  Views views;
  for (const StateValue& state : program.states()) views.push_back(state.value);
  return views;
}

// The `i`-th of these views in each program.
Status FindTensors(const AotModel& model, Views (*views_of)(const AotProgram&), size_t i, Port* port) {
  for (const AotProgram& program : model.programs()) {
    const Tensor& tensor = program.tensor(views_of(program)[i]);
    port->tensors.push_back(&tensor);
    const Shape &shape = tensor.shape, &first = port->tensors[0]->shape;
    if (shape.rank != first.rank)
      return MICRORT_ERROR(kUnsupported,
                           "--batch: '%.100s' has rank %d with a batch of %d, and %d with one of %d",
                           tensor.name, first.rank, model.programs()[0].batch(), shape.rank, program.batch());
  }
  return Status();
}

Status DescribePorts(const AotModel& model, Views (*views_of)(const AotProgram&), const char* prefix,
                     std::vector<Port>* ports) {
  std::set<std::string> taken;
  for (size_t i = 0; i < views_of(model.largest()).size(); ++i) {
    Port port;
    MICRORT_RETURN_IF_ERROR(FindTensors(model, views_of, i, &port));
    port.name = port.largest().name;
    MICRORT_RETURN_IF_ERROR(TypeOf(port.largest(), &port.type));
    port.open = model.largest().open_shapes().Find(views_of(model.largest())[i]);
    std::string identifier;
    for (const char c : port.name) identifier += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    // Two names that differ in other characters only are reached by their positions.
    if (!identifier.empty() && taken.insert(identifier).second) port.identifier = prefix + ("_" + identifier);
    ports->push_back(port);
  }
  return Status();
}

}  // namespace

Status CheckClassName(const std::string& name) {
  const std::vector<std::string> parts = SplitName(name);
  if (parts.size() > 1 && std::all_of(parts.begin(), parts.end(), IsIdentifier)) return Status();
  return MICRORT_ERROR(kInvalidArgument,
                       "--cpp-class: expected a class in a namespace, such as ns::Name; found '%.100s'",
                       name.c_str());
}

bool Port::is_fixed() const {
  return std::all_of(tensors.begin(), tensors.end(),
                     [&](const Tensor* tensor) { return tensor->shape == largest().shape; });
}

Status DescribeClass(const CppRequest& request, const AotModel& model, ClassText* text) {
  text->request = &request;
  text->model = &model;
  text->namespaces = SplitName(request.options.class_name);
  text->name = text->namespaces.back();
  text->namespaces.pop_back();
  text->file_stem = SnakeCase(text->name);
  for (const std::string& part : text->namespaces) text->symbol += part + "_";
  text->symbol += text->name + "_constants";
  if (model.has_batches() && !model.largest().open_shapes().bounds().empty())
    return MICRORT_ERROR(kUnsupported,
                         "--batch: data decide sizes of the model, which only one batch can have");
  MICRORT_RETURN_IF_ERROR(DescribePorts(model, InputsOf, "arg", &text->args));
  MICRORT_RETURN_IF_ERROR(DescribePorts(model, StatesOf, "var", &text->vars));
  for (const Port& var : text->vars) {
    if (!var.is_fixed())
      return MICRORT_ERROR(kUnsupported, "--batch: the state '%.100s' has another size with each",
                           var.name.c_str());
  }
  return DescribePorts(model, OutputsOf, "result", &text->results);
}

bool ClassText::has_loops() const {
  return std::any_of(steps.begin(), steps.end(), [](const StepsText& s) { return !s.loops.empty(); });
}

std::string SpaceOf(const AotProgram& program) { return "batch" + std::to_string(program.batch()); }

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "::") + name;
  return text;
}

std::string Fill(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [key, value] : values) {
    const std::string mark = "@" + key + "@";
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size())) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

}  // namespace micrort::aot
