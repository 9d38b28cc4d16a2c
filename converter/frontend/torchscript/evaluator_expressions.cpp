// Expressions of the code.

#include <limits>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "converter/frontend/torchscript/numbers.h"
#include "converter/frontend/torchscript/operator_calls.h"
#include "converter/frontend/torchscript/scalar_ops.h"
#include "converter/frontend/torchscript/stacked_lists.h"
#include "converter/frontend/torchscript/statement_runner.h"

namespace micrort::frontend::torchscript {

namespace {

// Calls and expressions inside each other.
constexpr int kMaxEvalDepth = 500;

Result<bool> IsInstance(const Value& value, const Expr& type) {
  if (type.kind == ExprKind::kList || type.kind == ExprKind::kTuple) {
    bool is_any = false;
    for (const Expr& one : type.parts) {
      MICRORT_ASSIGN_OR_RETURN(const bool is, IsInstance(value, one));
      is_any |= is;
    }
    return is_any;
  }
  static const std::map<std::string, Kind> kTypes = {
      {"Tensor", Kind::kTensor}, {"int", Kind::kInt},   {"float", Kind::kFloat},  {"bool", Kind::kBool},
      {"str", Kind::kString},    {"List", Kind::kList}, {"list", Kind::kList},    {"Tuple", Kind::kTuple},
      {"tuple", Kind::kTuple},   {"Dict", Kind::kDict}, {"NoneType", Kind::kNone}};
  const std::string& name = type.kind == ExprKind::kSubscript ? type.parts[0].text : type.text;
  const auto found = kTypes.find(name);
  if (found == kTypes.end()) return Unsupported("isinstance of '{}'", Shown(name));
  return value.kind == found->second;
}

// The kind of value that "int", "float" or "bool" names; kNone for other names.
Kind NumberKind(const std::string& name) {
  static const std::map<std::string, Kind> kTypes = {
      {"int", Kind::kInt}, {"float", Kind::kFloat}, {"bool", Kind::kBool}};
  const auto found = kTypes.find(name);
  return found == kTypes.end() ? Kind::kNone : found->second;
}

// A tensor that the code says is a number: annotate(int, x).
Result<Value> AsStatedNumber(ImportState& state, const Expr& type, const Value& value) {
  const Kind number = type.kind == ExprKind::kName ? NumberKind(type.text) : Kind::kNone;
  if (!value.Is(Kind::kTensor) || number == Kind::kNone) return value;
  return Numbers(state).Convert(number, value);
}

bool StartsWith(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

// The name of an Enum's member, of which a pickle holds the value.
Result<Value> NameOfMember(Evaluator& evaluator, const Class* c, const Object& member) {
  for (size_t i = 0; c != nullptr && i < c->attributes.size(); ++i) {
    if (!c->attributes[i].has_value) continue;
    MICRORT_ASSIGN_OR_RETURN(const Value value, evaluator.EvalConstant(c->attributes[i].value));
    if (value == *member.enum_value) return Value::String(c->attributes[i].name);
  }
  return Invalid("'{}' has no such member", Shown(member.class_name));
}

Value FunctionOf(const std::string& name) {
  Value function = Value::Of(Kind::kFunction);
  function.text = name;
  return function;
}

}  // namespace

Result<Value> Evaluator::Eval(const Expr& expr) {
  if (depth_ >= kMaxEvalDepth)
    return Unsupported("more than {} calls and expressions inside each other", kMaxEvalDepth);
  constexpr uint64_t kExpression = 2;
  MICRORT_RETURN_IF_ERROR(state_.meter.Spend(kExpression));
  ++depth_;
  Result<Value> result = EvalInside(expr);
  --depth_;
  return result;
}

Result<Value> Evaluator::EvalInside(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNone:
      return Value();
    case ExprKind::kBool:
      return Value::Bool(expr.integer != 0);
    case ExprKind::kInt:
      return Value::Int(expr.integer);
    case ExprKind::kFloat:
      return Value::Float(expr.number);
    case ExprKind::kImaginary:
      return OperatorCalls(state_).Call("aten::complex", {Value::Float(0), Value::Float(expr.number)}, {});
    case ExprKind::kString:
      MICRORT_RETURN_IF_ERROR(state_.meter.Spend(WorkOfText(expr.text)));
      return Value::String(expr.text);
    case ExprKind::kName:
      return EvalName(expr);
    case ExprKind::kAttribute:
      return EvalAttribute(expr);
    case ExprKind::kList:
      return EvalItems(expr, Kind::kList);
    case ExprKind::kTuple:
      return EvalItems(expr, Kind::kTuple);
    case ExprKind::kDict:
      return EvalItems(expr, Kind::kDict);
    case ExprKind::kCall:
      return EvalCall(expr);
    default:
      return EvalOperator(expr);
  }
}

Result<Value> Evaluator::EvalName(const Expr& expr) {
  const auto found = state_.frame->names.find(expr.text);
  if (found != state_.frame->names.end()) return found->second;
  if (expr.text == "inf") return Value::Float(std::numeric_limits<double>::infinity());
  if (expr.text == "nan") return Value::Float(std::numeric_limits<double>::quiet_NaN());
  return Invalid("'{}' is not defined", Shown(expr.text));
}

bool Evaluator::DottedName(const Expr& expr, std::string* out) const {
  if (expr.kind == ExprKind::kName) {
    *out = expr.text;
    return state_.frame->names.count(expr.text) == 0;
  }
  if (expr.kind != ExprKind::kAttribute || !DottedName(expr.parts[0], out)) return false;
  *out += "." + expr.text;
  return true;
}

Result<Value> Evaluator::EvalAttribute(const Expr& expr) {
  std::string dotted;
  if (!DottedName(expr, &dotted)) {
    MICRORT_ASSIGN_OR_RETURN(const Value object, Eval(expr.parts[0]));
    return AttributeOf(object, expr.text);
  }
  if (dotted.compare(0, 11, "CONSTANTS.c") == 0 && constants_.is_sequence()) {
    const std::string digits = dotted.substr(11);
    const bool is_number =
        !digits.empty() && digits.size() < 8 && digits.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) return state_.GetElement(constants_, Value::Int(std::stoi(digits)));
  }
  MICRORT_ASSIGN_OR_RETURN(std::optional<Value> member, EvalMember(dotted));
  if (member) return std::move(*member);
  // Its value or its name.
  MICRORT_ASSIGN_OR_RETURN(member, EvalMember(dotted.substr(0, dotted.rfind('.'))));
  if (member) return AttributeOf(*member, expr.text);
  if (dotted.compare(0, 10, "__torch__.") == 0) return FunctionOf(dotted);
  return Invalid("'{}' is not defined", Shown(dotted));
}

Answer Evaluator::EvalMember(const std::string& dotted) {
  const size_t dot = dotted.rfind('.');
  const std::string class_name = dotted.substr(0, dot), member = dotted.substr(dot + 1);
  if (dot == std::string::npos || class_name.compare(0, 10, "__torch__.") != 0) return std::nullopt;
  MICRORT_ASSIGN_OR_RETURN(const Class* c, code_.FindClass(class_name));
  if (c == nullptr || c->base != "Enum") return std::nullopt;
  std::optional<Value> found;
  for (const ClassAttribute& attribute : c->attributes) {
    if (attribute.name != member || !attribute.has_value) continue;
    MICRORT_ASSIGN_OR_RETURN(Value value, EvalConstant(attribute.value));
    found = Value::OfEnum(class_name, std::move(value));
  }
  return found;
}

Result<Value> Evaluator::AttributeOf(const Value& object, const std::string& name) {
  if (object.Is(Kind::kUnreachable)) return object;
  if (!object.Is(Kind::kObject)) return Invalid("attribute '{}' of {}", Shown(name), KindName(object.kind));
  if (object.object->enum_value != nullptr && name == "value") return *object.object->enum_value;
  MICRORT_RETURN_IF_ERROR(Restore(*object.object));
  MICRORT_RETURN_IF_ERROR(state_.meter.Spend(WorkOfAttribute(*object.object)));
  if (const Value* found = object.object->Find(name)) {
    state_.attributes.NoteRead(*object.object, name);
    return *found;
  }
  MICRORT_ASSIGN_OR_RETURN(const Class* c, code_.FindClass(object.object->class_name));
  if (object.object->enum_value != nullptr && name == "name") return NameOfMember(*this, c, *object.object);
  if (c != nullptr) {
    for (const ClassAttribute& attribute : c->attributes) {
      if (attribute.name == name && attribute.has_value) return EvalConstant(attribute.value);
    }
    if (c->Find(name) != nullptr) {
      Value method = FunctionOf(name);
      method.object = object.object;
      return method;
    }
  }
  return Invalid("'{}' has no attribute '{}'", Shown(object.object->class_name), Shown(name));
}

Result<Value> Evaluator::EvalItems(const Expr& expr, Kind kind) {
  Value list = Value::Sequence(kind, std::vector<Value>(expr.parts.size()));
  for (size_t i = 0; i < expr.parts.size(); ++i) {
    MICRORT_ASSIGN_OR_RETURN((*list.items)[i], Eval(expr.parts[i]));
  }
  MICRORT_RETURN_IF_ERROR(state_.CheckNesting(list));
  return list;
}

// A ternary, `and` or `or`: only what the condition asks for is computed.
Result<Value> Evaluator::EvalCondition(const Expr& expr) {
  const bool is_ternary = expr.kind == ExprKind::kTernary;
  MICRORT_ASSIGN_OR_RETURN(Value condition, Eval(expr.parts[is_ternary ? 1 : 0]));
  MICRORT_ASSIGN_OR_RETURN(const std::optional<bool> truth, Numbers(state_).Truth(condition));
  if (!truth) return Unsupported("a condition depends on the values of inputs");
  if (is_ternary) return Eval(expr.parts[*truth ? 0 : 2]);
  return *truth == (expr.text == "and") ? Eval(expr.parts[1]) : condition;
}

Result<Value> Evaluator::EvalOperator(const Expr& expr) {
  static const std::map<std::string, const char*> kBinary = {
      {"+", "add"},       {"-", "sub"},       {"*", "mul"},           {"/", "div"},
      {"//", "floordiv"}, {"%", "remainder"}, {"**", "pow"},          {"<", "lt"},
      {">", "gt"},        {"<=", "le"},       {">=", "ge"},           {"==", "eq"},
      {"!=", "ne"},       {"@", "matmul"},    {"&", "__and__"},       {"|", "__or__"},
      {"^", "__xor__"},   {"is", "__is__"},   {"is not", "__isnot__"}};
  const bool is_logical = expr.kind == ExprKind::kBinary && (expr.text == "and" || expr.text == "or");
  if (expr.kind == ExprKind::kTernary || is_logical) return EvalCondition(expr);
  OperatorCalls operators(state_);
  MICRORT_ASSIGN_OR_RETURN(const Value first, Eval(expr.parts[0]));
  if (expr.kind == ExprKind::kUnary) {
    const char* op = expr.text == "-" ? "aten::neg" : expr.text == "+" ? "aten::positive" : "aten::__not__";
    return operators.Call(op, {first}, {});
  }
  MICRORT_ASSIGN_OR_RETURN(const Value second, Eval(expr.parts[1]));
  if (expr.kind == ExprKind::kSubscript) {
    if (first.Is(Kind::kUnreachable)) return first;
    MICRORT_RETURN_IF_ERROR(state_.CheckNesting(second));
    if (first.is_tensor()) return operators.Call("aten::select", {first, Value::Int(0), second}, {});
    if (IsStackedList(first)) return operators.Call("aten::__getitem__", {first, second}, {});
    return state_.GetElement(first, second);
  }
  const auto found = kBinary.find(expr.text);
  if (found == kBinary.end()) return Unsupported("operator '{}'", expr.text);
  return operators.Call(std::string("aten::") + found->second, {first, second}, {});
}

Status Evaluator::EvalArguments(const Expr& call, size_t first, std::vector<Value>* arguments,
                                Keywords* keywords) {
  for (size_t i = first; i < call.parts.size(); ++i) {
    arguments->emplace_back();
    MICRORT_ASSIGN_OR_RETURN(arguments->back(), Eval(call.parts[i]));
  }
  for (const auto& [name, expr] : call.keywords) {
    keywords->emplace_back(name, Value());
    MICRORT_ASSIGN_OR_RETURN(keywords->back().second, Eval(expr));
  }
  return Status();
}

Result<Value> Evaluator::EvalCall(const Expr& call) {
  const Expr& callee = call.parts[0];
  MICRORT_ASSIGN_OR_RETURN(std::optional<Value> answer, EvalBuiltin(call));
  if (answer) return std::move(*answer);
  std::string dotted;
  if (DottedName(callee, &dotted)) return EvalNamedCall(dotted, call);
  std::vector<Value> arguments;
  Keywords keywords;
  const bool is_method = callee.kind == ExprKind::kAttribute;
  MICRORT_ASSIGN_OR_RETURN(const Value object, Eval(is_method ? callee.parts[0] : callee));
  MICRORT_RETURN_IF_ERROR(EvalArguments(call, 1, &arguments, &keywords));
  return is_method ? CallObject(object, callee.text, std::move(arguments), std::move(keywords))
                   : CallValue(object, std::move(arguments), std::move(keywords));
}

Result<Value> Evaluator::EvalNamedCall(const std::string& name, const Expr& call) {
  static const std::string kNew = ".__new__";
  const size_t dots = name.size();
  if (dots > kNew.size() && name.compare(dots - kNew.size(), kNew.size(), kNew) == 0) {
    auto object = std::make_shared<Object>();
    object->class_name = name.substr(0, dots - kNew.size());
    return Value::OfObject(std::move(object));
  }
  std::vector<Value> arguments;
  Keywords keywords;
  MICRORT_RETURN_IF_ERROR(EvalArguments(call, 1, &arguments, &keywords));
  // What `fork` computes is there at once.
  if (name == "torch.wait" && arguments.size() == 1 && keywords.empty()) return std::move(arguments[0]);
  OperatorCalls operators(state_);
  if (StartsWith(name, "torch."))
    return operators.Call("aten::" + name.substr(6), std::move(arguments), std::move(keywords));
  if (StartsWith(name, "ops.")) {
    std::string op = name.substr(4);
    const size_t dot = op.find('.');
    if (dot != std::string::npos) op.replace(dot, 1, "::");
    return operators.Call(op, std::move(arguments), std::move(keywords));
  }
  return CallByName(name, std::move(arguments), std::move(keywords));
}

Answer Evaluator::EvalBuiltin(const Expr& call) {
  const Expr& callee = call.parts[0];
  const std::string& name = callee.text;
  const size_t count = call.parts.size() - 1;
  if (callee.kind != ExprKind::kName || state_.frame->names.count(name) != 0) return std::nullopt;
  if ((name == "annotate" || name == "unchecked_cast") && count == 2) {
    MICRORT_ASSIGN_OR_RETURN(const Value value, Eval(call.parts[2]));
    return AsStatedNumber(state_, call.parts[1], value);
  }
  if (name == "fork" && count == 1) return StatementRunner(*this).RunLocalFunction(call.parts[1].text);
  if (name == "print" || name == "sorted") {
    std::vector<Value> arguments;
    Keywords keywords;
    MICRORT_RETURN_IF_ERROR(EvalArguments(call, 1, &arguments, &keywords));
    if (name == "print") return Value();
    return OperatorCalls(state_).Call("aten::sorted", std::move(arguments), std::move(keywords));
  }
  if (name == "uninitialized") return Value::Of(Kind::kUninitialized);
  if (name == "isinstance" && count == 2) {
    MICRORT_ASSIGN_OR_RETURN(const Value value, Eval(call.parts[1]));
    MICRORT_ASSIGN_OR_RETURN(const bool is, IsInstance(value, call.parts[2]));
    return Value::Bool(is);
  }
  if (name == "getattr" && count == 2) {
    MICRORT_ASSIGN_OR_RETURN(const Value object, Eval(call.parts[1]));
    MICRORT_ASSIGN_OR_RETURN(const Value attribute, Eval(call.parts[2]));
    return AttributeOf(object, attribute.text);
  }
  const Kind number = NumberKind(name);
  if (count != 1 || (number == Kind::kNone && name != "str")) return std::nullopt;
  MICRORT_ASSIGN_OR_RETURN(const Value value, Eval(call.parts[1]));
  if (number != Kind::kNone) return Numbers(state_).Convert(number, value);
  MICRORT_RETURN_IF_ERROR(state_.CheckNesting(value));
  return state_.RunPlainOp("format", {Value::String("{}"), value});
}

}  // namespace micrort::frontend::torchscript
