// Expressions of the code.

#include <limits>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "converter/frontend/torchscript/numbers.h"
#include "converter/frontend/torchscript/operator_calls.h"
#include "converter/frontend/torchscript/scalar_ops.h"
#include "converter/frontend/torchscript/statement_runner.h"

namespace micrort::frontend::torchscript {

namespace {

// Calls and expressions inside each other.
constexpr int kMaxEvalDepth = 500;

Status IsInstance(const Value& value, const Expr& type, bool* out) {
  if (type.kind == ExprKind::kList || type.kind == ExprKind::kTuple) {
    *out = false;
    for (const Expr& one : type.parts) {
      bool is = false;
      MICRORT_RETURN_IF_ERROR(IsInstance(value, one, &is));
      *out |= is;
    }
    return Status();
  }
  static const std::map<std::string, Kind> kTypes = {
      {"Tensor", Kind::kTensor}, {"int", Kind::kInt},   {"float", Kind::kFloat},  {"bool", Kind::kBool},
      {"str", Kind::kString},    {"List", Kind::kList}, {"list", Kind::kList},    {"Tuple", Kind::kTuple},
      {"tuple", Kind::kTuple},   {"Dict", Kind::kDict}, {"NoneType", Kind::kNone}};
  const std::string& name = type.kind == ExprKind::kSubscript ? type.parts[0].text : type.text;
  const auto found = kTypes.find(name);
  if (found == kTypes.end()) return Unsupported("isinstance of '{}'", Shown(name));
  *out = value.kind == found->second;
  return Status();
}

bool IsNumberType(const std::string& name, Kind* kind) {
  static const std::map<std::string, Kind> kTypes = {
      {"int", Kind::kInt}, {"float", Kind::kFloat}, {"bool", Kind::kBool}};
  const auto found = kTypes.find(name);
  if (found != kTypes.end()) *kind = found->second;
  return found != kTypes.end();
}

// A tensor that the code says is a number: annotate(int, x).
Status ToStatedNumber(ImportState& state, const Expr& type, Value* value) {
  Kind number = Kind::kNone;
  if (!value->Is(Kind::kTensor) || type.kind != ExprKind::kName || !IsNumberType(type.text, &number))
    return Status();
  return Take(Numbers(state).Convert(number, *value), value);
}

bool StartsWith(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

// The name of an Enum's member, of which a pickle holds the value.
Status NameOfMember(Evaluator& evaluator, const Class* c, const Object& member, Value* out) {
  for (size_t i = 0; c != nullptr && i < c->attributes.size(); ++i) {
    Value value;
    if (!c->attributes[i].has_value) continue;
    MICRORT_RETURN_IF_ERROR(evaluator.EvalConstant(c->attributes[i].value, &value));
    if (!(value == *member.enum_value)) continue;
    *out = Value::String(c->attributes[i].name);
    return Status();
  }
  return Invalid("'{}' has no such member", Shown(member.class_name));
}

}  // namespace

Status Evaluator::Eval(const Expr& expr, Value* out) {
  if (depth_ >= kMaxEvalDepth)
    return Unsupported("more than {} calls and expressions inside each other", kMaxEvalDepth);
  constexpr uint64_t kExpression = 2;
  MICRORT_RETURN_IF_ERROR(state_.meter.Spend(kExpression));
  ++depth_;
  const Status status = EvalInside(expr, out);
  --depth_;
  return status;
}

Status Evaluator::EvalInside(const Expr& expr, Value* out) {
  switch (expr.kind) {
    case ExprKind::kNone:
      *out = Value();
      return Status();
    case ExprKind::kBool:
      *out = Value::Bool(expr.integer != 0);
      return Status();
    case ExprKind::kInt:
      *out = Value::Int(expr.integer);
      return Status();
    case ExprKind::kFloat:
      *out = Value::Float(expr.number);
      return Status();
    case ExprKind::kImaginary:
      return CallOperator("aten::complex", {Value::Float(0), Value::Float(expr.number)}, {}, out);
    case ExprKind::kString:
      *out = Value::String(expr.text);
      return state_.meter.Spend(WorkOfText(expr.text));
    case ExprKind::kName:
      return EvalName(expr, out);
    case ExprKind::kAttribute:
      return EvalAttribute(expr, out);
    case ExprKind::kList:
      return EvalItems(expr, Kind::kList, out);
    case ExprKind::kTuple:
      return EvalItems(expr, Kind::kTuple, out);
    case ExprKind::kDict:
      return EvalItems(expr, Kind::kDict, out);
    case ExprKind::kCall:
      return EvalCall(expr, out);
    default:
      return EvalOperator(expr, out);
  }
}

Status Evaluator::EvalName(const Expr& expr, Value* out) {
  const auto found = state_.frame->names.find(expr.text);
  if (found != state_.frame->names.end()) {
    *out = found->second;
    return Status();
  }
  const bool is_inf = expr.text == "inf";
  if (is_inf || expr.text == "nan") {
    *out = Value::Float(is_inf ? std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::quiet_NaN());
    return Status();
  }
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

Status Evaluator::EvalAttribute(const Expr& expr, Value* out) {
  std::string dotted;
  if (DottedName(expr, &dotted)) {
    if (dotted.compare(0, 11, "CONSTANTS.c") == 0 && constants_.is_sequence()) {
      const std::string digits = dotted.substr(11);
      const bool is_number =
          !digits.empty() && digits.size() < 8 && digits.find_first_not_of("0123456789") == std::string::npos;
      if (is_number) return Take(state_.GetElement(constants_, Value::Int(std::stoi(digits))), out);
    }
    bool is_member = false;
    MICRORT_RETURN_IF_ERROR(EvalMember(dotted, out, &is_member));
    if (is_member) return Status();
    // Its value or its name.
    Value member;
    MICRORT_RETURN_IF_ERROR(EvalMember(dotted.substr(0, dotted.rfind('.')), &member, &is_member));
    if (is_member) return AttributeOf(member, expr.text, out);
    if (dotted.compare(0, 10, "__torch__.") == 0) {
      *out = Value::Of(Kind::kFunction);
      out->text = dotted;
      return Status();
    }
    return Invalid("'{}' is not defined", Shown(dotted));
  }
  Value object;
  MICRORT_RETURN_IF_ERROR(Eval(expr.parts[0], &object));
  return AttributeOf(object, expr.text, out);
}

Status Evaluator::EvalMember(const std::string& dotted, Value* out, bool* is_member) {
  const size_t dot = dotted.rfind('.');
  const std::string class_name = dotted.substr(0, dot), member = dotted.substr(dot + 1);
  if (dot == std::string::npos || class_name.compare(0, 10, "__torch__.") != 0) return Status();
  const Class* c = nullptr;
  MICRORT_RETURN_IF_ERROR(code_.FindClass(class_name, &c));
  if (c == nullptr || c->base != "Enum") return Status();
  for (const ClassAttribute& attribute : c->attributes) {
    if (attribute.name != member || !attribute.has_value) continue;
    Value value;
    MICRORT_RETURN_IF_ERROR(EvalConstant(attribute.value, &value));
    *out = Value::OfEnum(class_name, std::move(value));
    *is_member = true;
  }
  return Status();
}

Status Evaluator::AttributeOf(const Value& object, const std::string& name, Value* out) {
  if (object.Is(Kind::kUnreachable)) {
    *out = object;
    return Status();
  }
  if (!object.Is(Kind::kObject)) return Invalid("attribute '{}' of {}", Shown(name), KindName(object.kind));
  if (object.object->enum_value != nullptr && name == "value") {
    *out = *object.object->enum_value;
    return Status();
  }
  MICRORT_RETURN_IF_ERROR(Restore(*object.object));
  MICRORT_RETURN_IF_ERROR(state_.meter.Spend(WorkOfAttribute(*object.object)));
  if (const Value* found = object.object->Find(name)) {
    state_.attributes.NoteRead(*object.object, name);
    *out = *found;
    return Status();
  }
  const Class* c = nullptr;
  MICRORT_RETURN_IF_ERROR(code_.FindClass(object.object->class_name, &c));
  if (object.object->enum_value != nullptr && name == "name")
    return NameOfMember(*this, c, *object.object, out);
  if (c != nullptr) {
    for (const ClassAttribute& attribute : c->attributes) {
      if (attribute.name == name && attribute.has_value) return EvalConstant(attribute.value, out);
    }
    if (c->Find(name) != nullptr) {
      *out = Value::Of(Kind::kFunction);
      out->object = object.object;
      out->text = name;
      return Status();
    }
  }
  return Invalid("'{}' has no attribute '{}'", Shown(object.object->class_name), Shown(name));
}

Status Evaluator::EvalItems(const Expr& expr, Kind kind, Value* out) {
  std::vector<Value> items(expr.parts.size());
  for (size_t i = 0; i < items.size(); ++i) MICRORT_RETURN_IF_ERROR(Eval(expr.parts[i], &items[i]));
  *out = Value::Sequence(kind, std::move(items));
  return state_.CheckNesting(*out);
}

// A ternary, `and` or `or`: only what the condition asks for is computed.
Status Evaluator::EvalCondition(const Expr& expr, Value* out) {
  const bool is_ternary = expr.kind == ExprKind::kTernary;
  Value condition;
  MICRORT_RETURN_IF_ERROR(Eval(expr.parts[is_ternary ? 1 : 0], &condition));
  MICRORT_ASSIGN_OR_RETURN(const std::optional<bool> truth, Numbers(state_).Truth(condition));
  if (!truth) return Unsupported("a condition depends on the values of inputs");
  if (is_ternary) return Eval(expr.parts[*truth ? 0 : 2], out);
  if (*truth == (expr.text == "and")) return Eval(expr.parts[1], out);
  *out = std::move(condition);
  return Status();
}

Status Evaluator::EvalOperator(const Expr& expr, Value* out) {
  static const std::map<std::string, const char*> kBinary = {
      {"+", "add"},       {"-", "sub"},       {"*", "mul"},           {"/", "div"},
      {"//", "floordiv"}, {"%", "remainder"}, {"**", "pow"},          {"<", "lt"},
      {">", "gt"},        {"<=", "le"},       {">=", "ge"},           {"==", "eq"},
      {"!=", "ne"},       {"@", "matmul"},    {"&", "__and__"},       {"|", "__or__"},
      {"^", "__xor__"},   {"is", "__is__"},   {"is not", "__isnot__"}};
  const bool is_logical = expr.kind == ExprKind::kBinary && (expr.text == "and" || expr.text == "or");
  if (expr.kind == ExprKind::kTernary || is_logical) return EvalCondition(expr, out);
  Value first, second;
  MICRORT_RETURN_IF_ERROR(Eval(expr.parts[0], &first));
  if (expr.kind == ExprKind::kUnary) {
    const char* op = expr.text == "-" ? "aten::neg" : expr.text == "+" ? "aten::positive" : "aten::__not__";
    return CallOperator(op, {first}, {}, out);
  }
  MICRORT_RETURN_IF_ERROR(Eval(expr.parts[1], &second));
  if (expr.kind == ExprKind::kSubscript) {
    if (first.Is(Kind::kUnreachable)) {
      *out = first;
      return Status();
    }
    MICRORT_RETURN_IF_ERROR(state_.CheckNesting(second));
    if (first.is_tensor()) return CallOperator("aten::select", {first, Value::Int(0), second}, {}, out);
    return Take(state_.GetElement(first, second), out);
  }
  const auto found = kBinary.find(expr.text);
  if (found == kBinary.end()) return Unsupported("operator '{}'", expr.text);
  return CallOperator(std::string("aten::") + found->second, {first, second}, {}, out);
}

Status Evaluator::EvalArguments(const Expr& call, size_t first, std::vector<Value>* arguments,
                                Keywords* keywords) {
  for (size_t i = first; i < call.parts.size(); ++i) {
    arguments->emplace_back();
    MICRORT_RETURN_IF_ERROR(Eval(call.parts[i], &arguments->back()));
  }
  for (const auto& [name, expr] : call.keywords) {
    keywords->emplace_back(name, Value());
    MICRORT_RETURN_IF_ERROR(Eval(expr, &keywords->back().second));
  }
  return Status();
}

Status Evaluator::EvalCall(const Expr& call, Value* out) {
  const Expr& callee = call.parts[0];
  bool handled = false;
  MICRORT_RETURN_IF_ERROR(EvalBuiltin(call, out, &handled));
  if (handled) return Status();
  std::vector<Value> arguments;
  Keywords keywords;
  std::string dotted;
  if (!DottedName(callee, &dotted)) {
    Value object;
    if (callee.kind != ExprKind::kAttribute) {
      MICRORT_RETURN_IF_ERROR(Eval(callee, &object));
      MICRORT_RETURN_IF_ERROR(EvalArguments(call, 1, &arguments, &keywords));
      return CallValue(object, std::move(arguments), std::move(keywords), out);
    }
    MICRORT_RETURN_IF_ERROR(Eval(callee.parts[0], &object));
    MICRORT_RETURN_IF_ERROR(EvalArguments(call, 1, &arguments, &keywords));
    return CallObject(object, callee.text, std::move(arguments), std::move(keywords), out);
  }
  return EvalNamedCall(dotted, call, out);
}

Status Evaluator::CallOperator(const std::string& name, std::vector<Value> arguments, Keywords keywords,
                               Value* out) {
  return Take(OperatorCalls(state_).Call(name, std::move(arguments), std::move(keywords)), out);
}

Status Evaluator::EvalNamedCall(const std::string& name, const Expr& call, Value* out) {
  static const std::string kNew = ".__new__";
  const size_t dots = name.size();
  if (dots > kNew.size() && name.compare(dots - kNew.size(), kNew.size(), kNew) == 0) {
    auto object = std::make_shared<Object>();
    object->class_name = name.substr(0, dots - kNew.size());
    *out = Value::OfObject(std::move(object));
    return Status();
  }
  std::vector<Value> arguments;
  Keywords keywords;
  MICRORT_RETURN_IF_ERROR(EvalArguments(call, 1, &arguments, &keywords));
  // What `fork` computes is there at once.
  if (name == "torch.wait" && arguments.size() == 1 && keywords.empty()) {
    *out = std::move(arguments[0]);
    return Status();
  }
  if (StartsWith(name, "torch."))
    return CallOperator("aten::" + name.substr(6), std::move(arguments), std::move(keywords), out);
  if (StartsWith(name, "ops.")) {
    std::string op = name.substr(4);
    const size_t dot = op.find('.');
    if (dot != std::string::npos) op.replace(dot, 1, "::");
    return CallOperator(op, std::move(arguments), std::move(keywords), out);
  }
  return CallByName(name, std::move(arguments), std::move(keywords), out);
}

Status Evaluator::EvalBuiltin(const Expr& call, Value* out, bool* handled) {
  const Expr& callee = call.parts[0];
  const std::string& name = callee.text;
  const size_t count = call.parts.size() - 1;
  if (callee.kind != ExprKind::kName || state_.frame->names.count(name) != 0) return Status();
  *handled = true;
  if ((name == "annotate" || name == "unchecked_cast") && count == 2) {
    MICRORT_RETURN_IF_ERROR(Eval(call.parts[2], out));
    return ToStatedNumber(state_, call.parts[1], out);
  }
  if (name == "fork" && count == 1) return StatementRunner(*this).RunLocalFunction(call.parts[1].text, out);
  if (name == "print" || name == "sorted") {
    std::vector<Value> arguments;
    Keywords keywords;
    MICRORT_RETURN_IF_ERROR(EvalArguments(call, 1, &arguments, &keywords));
    if (name == "print") return Status();
    return CallOperator("aten::sorted", std::move(arguments), std::move(keywords), out);
  }
  if (name == "uninitialized") {
    *out = Value::Of(Kind::kUninitialized);
    return Status();
  }
  if (name == "isinstance" && count == 2) {
    Value value;
    bool is = false;
    MICRORT_RETURN_IF_ERROR(Eval(call.parts[1], &value));
    MICRORT_RETURN_IF_ERROR(IsInstance(value, call.parts[2], &is));
    *out = Value::Bool(is);
    return Status();
  }
  if (name == "getattr" && count == 2) {
    Value object, attribute;
    MICRORT_RETURN_IF_ERROR(Eval(call.parts[1], &object));
    MICRORT_RETURN_IF_ERROR(Eval(call.parts[2], &attribute));
    return AttributeOf(object, attribute.text, out);
  }
  Kind number = Kind::kNone;
  if (IsNumberType(name, &number) && count == 1) {
    Value value;
    MICRORT_RETURN_IF_ERROR(Eval(call.parts[1], &value));
    return Take(Numbers(state_).Convert(number, value), out);
  }
  if (name == "str" && count == 1) {
    Value value;
    MICRORT_RETURN_IF_ERROR(Eval(call.parts[1], &value));
    MICRORT_RETURN_IF_ERROR(state_.CheckNesting(value));
    MICRORT_ASSIGN_OR_RETURN(std::optional<Value> text,
                             state_.RunPlainOp("format", {Value::String("{}"), value}));
    *out = std::move(*text);
    return Status();
  }
  *handled = false;
  return Status();
}

}  // namespace micrort::frontend::torchscript
