#include "converter/frontend/torchscript/operator_calls.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/aliases.h"
#include "converter/frontend/torchscript/complex_calls.h"
#include "converter/frontend/torchscript/compositions.h"
#include "converter/frontend/torchscript/computed_lists.h"
#include "converter/frontend/torchscript/numbers.h"
#include "converter/frontend/torchscript/stacked_lists.h"
#include "converter/frontend/torchscript/tensor_queries.h"

namespace micrort::frontend::torchscript {

namespace {

bool IsUnreachable(const Value& value) {
  if (value.Is(Kind::kUnreachable)) return true;
  return value.items != nullptr && std::any_of(value.items->begin(), value.items->end(), IsUnreachable);
}

// "aten::relu" is "relu", and one of several names the one that is known.
std::string ShortName(const std::string& name) {
  if (name.compare(0, 6, "aten::") != 0) return name;
  const std::string op = name.substr(6);
  if (const char* other = NameOfAlias(op)) return other;
  const bool in_place = op.size() > 1 && op.back() == '_';
  const char* const other = in_place ? NameOfAlias(op.substr(0, op.size() - 1)) : nullptr;
  return other == nullptr ? op : std::string(other) + "_";
}

// Whether the operator may be one on plain data.
bool MayBePlain(const std::string& op, const std::vector<Value>& arguments) {
  const bool is_known = op.compare(0, 6, "aten::") == 0 || op.compare(0, 6, "prim::") == 0;
  const bool compares = op == "aten::__is__" || op == "aten::__isnot__";
  return is_known && (compares || arguments.empty() || !arguments[0].is_tensor());
}

bool ChangesList(const std::string& op) {
  static const std::set<std::string> kOps = {"append",  "extend", "insert",  "pop",       "clear",
                                             "reverse", "add_",   "remove",  "_set_item", "Delete",
                                             "sort",    "update", "popitem", "setdefault"};
  return kOps.count(op) != 0;
}

// Takes the elements of another list or dictionary, not that itself.
bool TakesElements(const std::string& op) { return op == "extend" || op == "add_" || op == "update"; }

// Keywords that leave an operator on plain numbers what it is.
bool SaysNothing(const Keywords& keywords) {
  return std::all_of(keywords.begin(), keywords.end(), [](const auto& keyword) {
    return keyword.second.is_none() || (keyword.first == "alpha" && keyword.second == Value::Int(1));
  });
}

// What is no computation.
bool HasNoEffect(const std::string& op) {
  static const std::set<std::string> kOps = SetOfWords(
      "warn manual_seed is_grad_enabled is_scripting is_autocast_enabled _set_grad_enabled "
      "_assert_tensor_metadata _record_function_enter _record_function_enter_new _record_function_exit "
      "has_torch_function");
  return kOps.count(op) != 0;
}

bool IsAssertion(const std::string& op) {
  return op == "_assert_async" || op == "_assert_scalar" || op == "_functional_assert_async" ||
         op == "_functional_assert_scalar";
}

// The data of packed sequences stay padded. Two kinds of operators may read them: layers that know the
// lengths, and operators that compute each row from itself.
bool ReadsPacked(const std::string& op) {
  static const std::set<std::string> kOps = {"_pad_packed_sequence", "lstm", "gru", "rnn_tanh", "rnn_relu"};
  return kOps.count(op) != 0;
}

bool KeepsRows(const std::string& op) {
  static const std::set<std::string> kOps = {"add",  "contiguous", "detach",     "div",    "dropout", "elu",
                                             "gelu", "layer_norm", "leaky_relu", "linear", "mul",     "relu",
                                             "silu", "sigmoid",    "softplus",   "sub",    "tanh",    "to"};
  return kOps.count(op) != 0;
}

bool IsPacked(const Value& value) { return value.is_tensor() && value.tensor->is_packed; }

// Where and how a tensor lies makes no difference here.
bool IsIgnoredKeyword(const std::string& name) {
  static const std::set<std::string> kIgnored = {"layout",    "device",        "pin_memory",  "memory_format",
                                                 "generator", "requires_grad", "non_blocking"};
  return kIgnored.count(name) != 0;
}

const Function* FindCompositionFor(const std::string& op, bool* in_place) {
  *in_place = false;
  const Function* function = FindComposition(op);
  if (function != nullptr || op.empty() || op.back() != '_') return function;
  function = FindComposition(op.substr(0, op.size() - 1));
  *in_place = function != nullptr;
  return function;
}

Result<std::vector<Value>> BindParameters(const OpImporter& importer, std::vector<Value> arguments,
                                          Keywords keywords) {
  std::istringstream names(importer.parameters);
  std::vector<std::string> parameters;
  for (std::string name; names >> name;) parameters.push_back(name);
  if (arguments.size() > parameters.size())
    return Unsupported("{} arguments, at most {} are known", arguments.size(), parameters.size());
  arguments.resize(parameters.size());
  for (auto& [name, value] : keywords) {
    const auto found = std::find(parameters.begin(), parameters.end(), name);
    if (found != parameters.end()) {
      arguments[static_cast<size_t>(found - parameters.begin())] = std::move(value);
    } else {
      if (IsIgnoredKeyword(name)) continue;
      return Unsupported("argument '{}' is not known", Shown(name));
    }
  }
  return arguments;
}

}  // namespace

Result<Value> OperatorCalls::Call(const std::string& name, std::vector<Value> arguments, Keywords keywords) {
  for (const Value& argument : arguments) MICRORT_RETURN_IF_ERROR(state_.CheckNesting(argument));
  for (const auto& [keyword, argument] : keywords) MICRORT_RETURN_IF_ERROR(state_.CheckNesting(argument));
  if (std::any_of(arguments.begin(), arguments.end(), IsUnreachable)) return Value::Of(Kind::kUnreachable);
  const bool is_append = name == "aten::append" && arguments.size() == 2 && arguments[0].Is(Kind::kList);
  if (is_append && state_.filled_lists != nullptr && state_.frozen.Has(arguments[0].items.get())) {
    MICRORT_RETURN_IF_ERROR(state_.filled_lists->Append(arguments[0], arguments[1]));
    return Value();
  }
  if (StackedLists::Concern(arguments)) return StackedLists(*this).Call(name, arguments, keywords);
  for (const auto known : {&OperatorCalls::CallSpecial, &OperatorCalls::CallPlain}) {
    MICRORT_ASSIGN_OR_RETURN(std::optional<Value> answer, (this->*known)(name, arguments, keywords));
    if (answer) return std::move(*answer);
  }
  return CallOnTensors(name, std::move(arguments), std::move(keywords));
}

Answer OperatorCalls::CallPlain(const std::string& name, const std::vector<Value>& arguments,
                                const Keywords& keywords) {
  if (!MayBePlain(name, arguments) || !SaysNothing(keywords)) return std::nullopt;
  const std::string op = name.substr(6);
  if (ChangesList(op) && !arguments.empty()) {
    MICRORT_RETURN_IF_ERROR(state_.frozen.CheckMayChange(arguments[0]));
    const bool takes_elements = TakesElements(op) && arguments.size() > 1 && arguments[1].items != nullptr;
    for (size_t i = 1; i < arguments.size() && !takes_elements; ++i)
      MICRORT_RETURN_IF_ERROR(state_.CheckInsertion(arguments[i], arguments[0]));
    for (size_t i = 0; takes_elements && i < arguments[1].items->size(); ++i)
      MICRORT_RETURN_IF_ERROR(state_.CheckInsertion((*arguments[1].items)[i], arguments[0]));
  }
  if (ComputedLists::Concerns(op, arguments)) return ComputedLists(*this).Call(op, arguments);
  return state_.RunPlainOp(op, arguments);
}

Result<Value> OperatorCalls::CallOnTensors(const std::string& name, std::vector<Value> arguments,
                                           Keywords keywords) {
  const bool computed =
      std::any_of(arguments.begin(), arguments.end(), [](const Value& v) { return v.is_computed(); });
  std::string op = ShortName(name);
  if (op.compare(0, 6, "prim::") == 0 && (computed || op == "prim::min" || op == "prim::max"))
    op = op.substr(6);
  // `a // b` on numbers that a run decides.
  if (op == "floordiv") op = "floor_divide";
  const bool are_numbers = computed && std::all_of(arguments.begin(), arguments.end(),
                                                   [](const Value& v) { return v.is_scalar(); });
  // Python's, of two numbers; those of tensors reduce along a dimension.
  if (are_numbers && arguments.size() == 2 && (op == "min" || op == "max")) op += "imum";
  if (ComplexCalls::Concerns(arguments, keywords))
    return ComplexCalls(state_, *this).Call(op, arguments, keywords);
  MICRORT_ASSIGN_OR_RETURN(Value result, ImportAsIs(op, std::move(arguments), std::move(keywords)));
  return are_numbers && result.is_tensor() ? Numbers(state_).ElementOf(result) : result;
}

// A condition and a message; some return their last argument.
Result<Value> OperatorCalls::Assert(const std::vector<Value>& arguments) {
  MICRORT_ASSIGN_OR_RETURN(const std::optional<bool> truth, Numbers(state_).Truth(arguments[0]));
  if (!truth) state_.WarnOfException(state_.frame->line);
  if (truth.value_or(true)) return arguments.size() > 2 ? arguments[2] : Value();
  return Raise({arguments.size() > 1 ? arguments[1] : Value::String("an assertion does not hold")});
}

Status OperatorCalls::Raise(const std::vector<Value>& arguments) {
  state_.has_raised = true;
  return Unsupported("the model raises an exception for inputs like these: {}",
                     arguments.empty() ? "" : Shown(arguments[0].text).c_str());
}

// What asks for types and shapes, and what is no computation.
Answer OperatorCalls::CallSpecial(const std::string& name, const std::vector<Value>& a,
                                  const Keywords& /*keywords*/) {
  const std::string op = name.substr(name.find("::") + 2);
  if (name == "prim::RaiseException") return Raise(a);
  if (IsAssertion(op) && !a.empty()) return Assert(a);
  if (name == "micrort::refuse") return Unsupported(a.empty() ? "" : a[0].text.c_str());
  if (HasNoEffect(op)) return Value::Bool(op == "is_scripting");
  if (name == "aten::device" || name == "prim::device") {
    Value device = Value::Of(Kind::kDevice);
    device.text = a.empty() || a[0].text.empty() ? SharedText("cpu") : a[0].text;
    return device;
  }
  if (name == "prim::type" && !a.empty() && a[0].Is(Kind::kDevice)) return Value::String(a[0].text);
  const bool has_tensor = !a.empty() && a[0].is_tensor();
  return has_tensor ? TensorQueries(state_).Ask(name, a) : ConvertNumber(op, a);
}

Answer OperatorCalls::ConvertNumber(const std::string& op, const std::vector<Value>& a) {
  static const std::map<std::string, Kind> kConversions = {{"Int", Kind::kInt},
                                                           {"IntImplicit", Kind::kInt},
                                                           {"Float", Kind::kFloat},
                                                           {"FloatImplicit", Kind::kFloat},
                                                           {"Bool", Kind::kBool}};
  if (a.size() != 1 || !a[0].is_scalar()) return std::nullopt;
  const auto conversion = kConversions.find(op);
  if (conversion != kConversions.end()) return Numbers(state_).Convert(conversion->second, a[0]);
  if (op != "ScalarImplicit" && op != "NumToTensor") return std::nullopt;
  Value number = a[0];
  if (op == "NumToTensor" && number.is_computed()) number.kind = Kind::kTensor;
  return number;
}

Result<Value> OperatorCalls::ImportAsIs(const std::string& op, std::vector<Value> arguments,
                                        Keywords keywords) {
  bool in_place = false;
  const OpImporter* importer = FindOpImporter(op, &in_place);
  const ir::Origin origin = {state_.NodeName(op), op.find("::") == std::string::npos ? "aten::" + op : op, 0};
  const Function* composition = importer == nullptr ? FindCompositionFor(op, &in_place) : nullptr;
  if (composition != nullptr)
    return Compose(*composition, in_place, std::move(arguments), std::move(keywords));
  Result<Value> result = importer == nullptr
                             ? Unsupported(WhyNoOpImporter(op))
                             : Append(*importer, in_place, origin, std::move(arguments), std::move(keywords));
  if (result.ok()) return result;
  const SourceNode source = {origin.name, origin.op, 0};
  state_.misfits = ir::MaySuitOtherSizes(result.status());
  if (result.status().code() != StatusCode::kUnsupported)
    return result.status().WithPrefix("%s", Describe(source).c_str());
  MICRORT_RETURN_IF_ERROR(NoteUnsupported(source, result.status().message(), state_.diagnostics));
  return Value::Of(Kind::kUnreachable);
}

Result<Value> OperatorCalls::Compose(const Function& function, bool in_place, std::vector<Value> arguments,
                                     Keywords keywords) {
  const Value self = arguments.empty() ? Value() : arguments[0];
  const auto is_ignored = [&function](const auto& keyword) {
    const auto& parameters = function.parameters;
    const bool is_known = std::any_of(parameters.begin(), parameters.end(),
                                      [&keyword](const Parameter& p) { return p.name == keyword.first; });
    return !is_known && IsIgnoredKeyword(keyword.first);
  };
  keywords.erase(std::remove_if(keywords.begin(), keywords.end(), is_ignored), keywords.end());
  MICRORT_ASSIGN_OR_RETURN(Value result,
                           state_.run_function(function, std::move(arguments), std::move(keywords)));
  return in_place && self.is_tensor() && result.is_tensor() ? WriteInPlace(self, result) : result;
}

Result<Value> OperatorCalls::Append(const OpImporter& importer, bool in_place, const ir::Origin& origin,
                                    std::vector<Value> given, Keywords keywords) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<Value> arguments,
                           BindParameters(importer, std::move(given), std::move(keywords)));
  const Value self = arguments.empty() ? Value() : arguments[0];
  const bool is_packed = std::any_of(arguments.begin(), arguments.end(), IsPacked);
  if (is_packed && !ReadsPacked(importer.op) && !KeepsRows(importer.op))
    return Unsupported(
        "the data of a packed sequence, which only recurrent layers, linear layers and element-wise "
        "functions can read; call pad_packed_sequence before");
  GraphAssembler& assembler = state_.table.assembler();
  const ir::ValueId first_new = assembler.NextValue();
  state_.table.origin = origin;
  ir::Builder builder = assembler.BuilderFor(origin, origin.name);
  OpContext c(importer.op, builder, state_.table, std::move(arguments));
  const OpContext::Quantized quantized = c.TakeOffQuantization();
  const bool were_lifted = c.TakeAsVectors();
  importer.import(c);
  if (were_lifted && c.status().ok()) ReturnWithoutDims(c);
  c.PutOnQuantization(quantized);
  MICRORT_RETURN_IF_ERROR(c.status());
  MICRORT_RETURN_IF_ERROR(builder.status());
  for (const std::string& text : c.warnings)
    state_.diagnostics->warnings.push_back(Describe({origin.name, origin.op, 0}) + ": " + text);
  const Value& result = c.result();
  if (!result.is_tensor()) return result;
  result.tensor->is_packed |= is_packed;
  // What is handed on may be a tensor of the graph around.
  if (result.tensor->assembler == &assembler) assembler.NameResult(origin.name, result.tensor->id, first_new);
  return in_place && self.is_tensor() ? WriteInPlace(self, result) : result;
}

Result<Value> OperatorCalls::WriteInPlace(const Value& self, const Value& result) {
  TensorTable& table = state_.table;
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId before, table.Read(*self.tensor));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId after, table.Read(*result.tensor));
  const DType dtype = table.value(before).dtype;
  if (table.value(after).dtype != dtype) {
    ir::Builder builder = table.assembler().BuilderFor(table.origin, table.origin.name);
    after = builder.Cast(after, dtype);
    MICRORT_RETURN_IF_ERROR(builder.status());
  }
  MICRORT_RETURN_IF_ERROR(table.Write(*self.tensor, after));
  return self;
}

}  // namespace micrort::frontend::torchscript
