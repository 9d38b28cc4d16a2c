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

// Keywords, tokens that stand for operators, and what the emitted code and C's headers use.
bool IsReserved(const std::string& word) {
  static const std::string kWords =
      " "
      "EOF INFINITY INT32_MAX INT32_MIN NAN NULL alignas alignof and and_eq asm auto bitand bitor bool "
      "break case catch char char16_t char32_t char8_t class co_await co_return co_yield compl concept "
      "const const_cast consteval constexpr constinit continue decltype default delete do double "
      "dynamic_cast else enum errno explicit export extern false final float for friend goto if inline "
      "int int16_t int32_t int64_t int8_t linux long main micrort mutable namespace new noexcept not "
      "not_eq nullptr operator or or_eq override private protected public register reinterpret_cast "
      "requires return short signed size_t sizeof static static_assert static_cast std stderr stdin "
      "stdout struct switch template this thread_local throw true try typedef typeid typename uint16_t "
      "uint32_t uint64_t uint8_t uintptr_t union unix unsigned using virtual void volatile wchar_t "
      "while xor xor_eq ";
  return kWords.find(" " + word + " ") != std::string::npos;
}

bool IsIdentifier(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return false;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  }
  // Names of compilers begin so.
  const bool is_theirs = text[0] == '_' || text.find("__") != std::string::npos;
  return !is_theirs && !IsReserved(text);
}

// Whether the class has a member of that name, which C++ does not allow.
bool IsMember(const std::string& name) {
  static const std::set<std::string> kMembers = {
      "AllocMode",  "Fail",        "LookupArgIndex", "LookupResultIndex",
      "ResetState", "Run",         "args",           "args_",
      "batch",      "batch_",      "error_",         "error_msg",
      "kAlignment", "kBatches",    "kBytes",         "kConstantBytes",
      "kNumArgs",   "kNumResults", "kTarget",        "kThreads",
      "memory_",    "mode_",       "own_memory_",    "pool_",
      "results",    "results_",    "set_batch",      "set_thread_pool",
      "sizes_",     "vars_"};
  if (kMembers.count(name) != 0) return true;
  for (const std::string prefix : {"arg", "result", "var", "set_arg", "kArg", "kResult"}) {
    if (name.compare(0, prefix.size(), prefix) != 0 || name.size() == prefix.size()) continue;
    const char next = name[prefix.size()];
    if (next == '_' || std::isdigit(static_cast<unsigned char>(next)) != 0) return true;
  }
  return name == "kArgNames" || name == "kResultNames";
}

// The symbol of the constants, which no other class has: names with an underscore are written with their
// lengths.
std::string SymbolOf(const std::vector<std::string>& parts) {
  std::string plain, exact = "micrort_";
  for (const std::string& part : parts) {
    plain += part + "_";
    exact += std::to_string(part.size()) + part;
  }
  const bool is_plain =
      std::count(plain.begin(), plain.end(), '_') == static_cast<std::ptrdiff_t>(parts.size());
  return is_plain ? plain + "constants" : exact + "_constants";
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
                     const std::map<std::string, std::string>& names, std::vector<Port>* ports) {
  std::set<std::string> taken;
  for (size_t i = 0; i < views_of(model.largest()).size(); ++i) {
    Port port;
    MICRORT_RETURN_IF_ERROR(FindTensors(model, views_of, i, &port));
    const auto renamed = names.find(port.largest().name);
    port.name = renamed == names.end() ? port.largest().name : renamed->second;
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
  if (!std::all_of(parts.begin(), parts.end(), IsIdentifier)) {
    return MICRORT_ERROR(kInvalidArgument,
                         "--cpp-class: expected a class, such as ns::Name, of names that C++ does not use "
                         "otherwise; found '%.100s'",
                         name.c_str());
  }
  if (!IsMember(parts.back())) return Status();
  return MICRORT_ERROR(kInvalidArgument, "--cpp-class: the class has a member '%.100s'; give it another name",
                       parts.back().c_str());
}

bool Port::is_fixed() const {
  return std::all_of(tensors.begin(), tensors.end(),
                     [&](const Tensor* tensor) { return tensor->shape == largest().shape; });
}

Status DescribeClass(const CppRequest& request, const AotModel& model, ClassText* text) {
  text->request = &request;
  text->model = &model;
  text->namespaces = SplitName(request.options.class_name);
  text->symbol = SymbolOf(text->namespaces);
  text->name = text->namespaces.back();
  text->namespaces.pop_back();
  text->file_stem = SnakeCase(text->name);
  if (model.has_batches() && !model.largest().open_shapes().bounds().empty())
    return MICRORT_ERROR(kUnsupported,
                         "--batch: data decide sizes of the model, which only one batch can have");
  MICRORT_RETURN_IF_ERROR(DescribePorts(model, InputsOf, "arg", {}, &text->args));
  MICRORT_RETURN_IF_ERROR(DescribePorts(model, StatesOf, "var", {}, &text->vars));
  for (const Port& var : text->vars) {
    if (!var.is_fixed())
      return MICRORT_ERROR(kUnsupported, "--batch: the state '%.100s' has another size with each",
                           var.name.c_str());
  }
  return DescribePorts(model, OutputsOf, "result", request.result_names, &text->results);
}

bool ClassText::has_loops() const {
  return std::any_of(steps.begin(), steps.end(), [](const StepsText& s) { return !s.loops.empty(); });
}

std::map<std::string, std::string> ClassText::custom() const {
  std::map<std::string, std::string> all;
  for (const StepsText& s : steps) all.insert(s.custom.begin(), s.custom.end());
  return all;
}

std::string SpaceOf(const AotProgram& program) { return "batch" + std::to_string(program.batch()); }

std::string Joined(const std::vector<std::string>& names, const std::string& name) {
  std::string text;
  for (const std::string& part : names) text += (text.empty() ? "" : "::") + part;
  return name.empty() ? text : text + (text.empty() ? "" : "::") + name;
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
