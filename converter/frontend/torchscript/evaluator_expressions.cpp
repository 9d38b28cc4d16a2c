// Expressions of the code.

#include <limits>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "converter/frontend/torchscript/scalar_ops.h"
#include "converter/ir/constant_values.h"

namespace micrort::frontend::torchscript {

namespace {

// Calls and expressions inside each other.
constexpr int kMaxEvalDepth = 500;

}  // namespace

Status Evaluator::Eval(const Expr& expr, Value* out) {
  if (depth_ >= kMaxEvalDepth) {
    return MICRORT_ERROR(kUnsupported, "more than %d calls and expressions inside each other", kMaxEvalDepth);
  }
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
    case ExprKind::kString:
      *out = Value::String(expr.text);
      return Status();
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
  const auto found = frame_->names.find(expr.text);
  if (found != frame_->names.end()) {
    *out = found->second;
    return Status();
  }
  const bool is_inf = expr.text == "inf";
  if (is_inf || expr.text == "nan") {
    *out = Value::Float(is_inf ? std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::quiet_NaN());
    return Status();
  }
  return MICRORT_ERROR(kInvalidModel, "'%s' is not defined", Shown(expr.text).c_str());
}

bool Evaluator::DottedName(const Expr& expr, std::string* out) const {
  if (expr.kind == ExprKind::kName) {
    *out = expr.text;
    return frame_->names.count(expr.text) == 0;
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
      if (is_number) return ElementOf(constants_, Value::Int(std::stoi(digits)), out);
    }
    if (dotted.compare(0, 10, "__torch__.") == 0) {
      *out = Value::Of(Kind::kFunction);
      out->text = dotted;
      return Status();
    }
    return MICRORT_ERROR(kInvalidModel, "'%s' is not defined", Shown(dotted).c_str());
  }
  Value object;
  MICRORT_RETURN_IF_ERROR(Eval(expr.parts[0], &object));
  return AttributeOf(object, expr.text, out);
}

Status Evaluator::AttributeOf(const Value& object, const std::string& name, Value* out) {
  if (object.Is(Kind::kUnreachable)) {
    *out = object;
    return Status();
  }
  if (!object.Is(Kind::kObject)) {
    return MICRORT_ERROR(kInvalidModel, "attribute '%s' of %s", Shown(name).c_str(), KindName(object.kind));
  }
  MICRORT_RETURN_IF_ERROR(Restore(*object.object));
  if (const Value* found = object.object->Find(name)) {
    *out = *found;
    return Status();
  }
  const Class* c = nullptr;
  MICRORT_RETURN_IF_ERROR(code_.FindClass(object.object->class_name, &c));
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
  return MICRORT_ERROR(kInvalidModel, "'%s' has no attribute '%s'", Shown(object.object->class_name).c_str(),
                       Shown(name).c_str());
}

Status Evaluator::EvalItems(const Expr& expr, Kind kind, Value* out) {
  std::vector<Value> items(expr.parts.size());
  for (size_t i = 0; i < items.size(); ++i) MICRORT_RETURN_IF_ERROR(Eval(expr.parts[i], &items[i]));
  *out = Value::Sequence(kind, std::move(items));
  return Status();
}

Status Evaluator::EvalOperator(const Expr& expr, Value* out) {
  static const std::map<std::string, const char*> kBinary = {
      {"+", "add"},       {"-", "sub"},       {"*", "mul"},           {"/", "div"},
      {"//", "floordiv"}, {"%", "remainder"}, {"**", "pow"},          {"<", "lt"},
      {">", "gt"},        {"<=", "le"},       {">=", "ge"},           {"==", "eq"},
      {"!=", "ne"},       {"@", "matmul"},    {"&", "__and__"},       {"|", "__or__"},
      {"^", "__xor__"},   {"is", "__is__"},   {"is not", "__isnot__"}};
  Value first, second;
  MICRORT_RETURN_IF_ERROR(Eval(expr.parts[0], &first));
  const bool is_and = expr.text == "and";
  if (expr.kind == ExprKind::kTernary || (expr.kind == ExprKind::kBinary && (is_and || expr.text == "or"))) {
    Value condition = first;
    if (expr.kind == ExprKind::kTernary) MICRORT_RETURN_IF_ERROR(Eval(expr.parts[1], &condition));
    bool is_known = false, truth = false;
    MICRORT_RETURN_IF_ERROR(Truth(condition, &is_known, &truth));
    if (!is_known) return MICRORT_ERROR(kUnsupported, "a condition depends on the values of inputs");
    if (expr.kind == ExprKind::kTernary) {
      if (!truth) return Eval(expr.parts[2], out);
    } else if (truth == is_and) {
      return Eval(expr.parts[1], out);
    }
    *out = std::move(first);
    return Status();
  }
  if (expr.kind == ExprKind::kUnary) {
    return CallOperator(expr.text == "-"   ? "aten::neg"
                        : expr.text == "+" ? "aten::positive"
                                           : "aten::__not__",
                        {first}, {}, out);
  }
  MICRORT_RETURN_IF_ERROR(Eval(expr.parts[1], &second));
  if (expr.kind == ExprKind::kSubscript) {
    if (first.Is(Kind::kUnreachable)) {
      *out = first;
      return Status();
    }
    if (first.is_tensor()) return CallOperator("aten::select", {first, Value::Int(0), second}, {}, out);
    return ElementOf(first, second, out);
  }
  const auto found = kBinary.find(expr.text);
  if (found == kBinary.end()) return MICRORT_ERROR(kUnsupported, "operator '%s'", expr.text.c_str());
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
  const size_t dots = dotted.size();
  if (dots > 8 && dotted.compare(dots - 8, 8, ".__new__") == 0) {
    auto object = std::make_shared<Object>();
    object->class_name = dotted.substr(0, dots - 8);
    *out = Value::OfObject(std::move(object));
    return Status();
  }
  MICRORT_RETURN_IF_ERROR(EvalArguments(call, 1, &arguments, &keywords));
  if (dotted.compare(0, 6, "torch.") == 0) {
    return CallOperator("aten::" + dotted.substr(6), std::move(arguments), std::move(keywords), out);
  }
  if (dotted.compare(0, 4, "ops.") == 0) {
    std::string name = dotted.substr(4);
    const size_t dot = name.find('.');
    if (dot != std::string::npos) name.replace(dot, 1, "::");
    return CallOperator(name, std::move(arguments), std::move(keywords), out);
  }
  return CallByName(dotted, std::move(arguments), std::move(keywords), out);
}

Status Evaluator::EvalBuiltin(const Expr& call, Value* out, bool* handled) {
  const Expr& callee = call.parts[0];
  const std::string& name = callee.text;
  const size_t count = call.parts.size() - 1;
  if (callee.kind != ExprKind::kName || frame_->names.count(name) != 0) return Status();
  *handled = true;
  if ((name == "annotate" || name == "unchecked_cast") && count == 2) return Eval(call.parts[2], out);
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
  static const std::map<std::string, Kind> kConversions = {
      {"int", Kind::kInt}, {"float", Kind::kFloat}, {"bool", Kind::kBool}};
  const auto conversion = kConversions.find(name);
  if (conversion != kConversions.end() && count == 1) {
    Value value;
    MICRORT_RETURN_IF_ERROR(Eval(call.parts[1], &value));
    return Convert(conversion->second, value, out);
  }
  if (name == "str" && count == 1) {
    Value value;
    MICRORT_RETURN_IF_ERROR(Eval(call.parts[1], &value));
    return RunScalarOp("format", {Value::String("{}"), value}, out, handled);
  }
  *handled = false;
  return Status();
}

Status Evaluator::Convert(Kind kind, const Value& value, Value* out) {
  if (value.Is(Kind::kUnreachable)) {
    *out = value;
    return Status();
  }
  if (value.Is(Kind::kString) && kind == Kind::kFloat) {
    const double inf = std::numeric_limits<double>::infinity();
    const bool is_nan = value.text == "nan";
    if (!is_nan && value.text != "inf" && value.text != "-inf") {
      return MICRORT_ERROR(kUnsupported, "the string '%s' as a number", Shown(value.text).c_str());
    }
    *out = Value::Float(is_nan                 ? std::numeric_limits<double>::quiet_NaN()
                        : value.text[0] == '-' ? -inf
                                               : inf);
    return Status();
  }
  if (value.tensor != nullptr) {
    ir::ValueId id = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(table_.Read(*value.tensor, &id));
    const ir::Value& tensor = table_.value(id);
    std::vector<int64_t> integers;
    std::vector<float> floats;
    const bool is_double = tensor.is_constant() && tensor.dtype == DType::kFloat64 && tensor.elements() == 1;
    const bool is_bool = tensor.is_constant() && tensor.dtype == DType::kBool && tensor.elements() == 1;
    Value known;
    if (is_double) {
      known = Value::Float(*tensor.as<double>());
    } else if (is_bool) {
      known = Value::Int((*tensor.data)[0]);
    } else if (ir::AnyIntegersOf(tensor, &integers) && integers.size() == 1) {
      known = Value::Int(integers[0]);
    } else if (ir::FloatsOf(tensor, &floats) && floats.size() == 1) {
      known = Value::Float(floats[0]);
    } else {
      if (tensor.is_static() && tensor.elements() != 1) {
        return MICRORT_ERROR(kInvalidModel, "a tensor of %lld elements as a number",
                             static_cast<long long>(tensor.elements()));
      }
      *out = value;
      out->kind = kind;
      const DType wanted = kind == Kind::kBool  ? DType::kBool
                           : kind == Kind::kInt ? DType::kInt64
                                                : tensor.dtype;
      if (tensor.dtype == wanted) return Status();
      ir::Builder builder = table_.assembler().BuilderFor({NodeName("convert"), "aten::to", 0}, "convert");
      out->tensor = table_.Make(builder.Cast(id, wanted));
      return builder.status();
    }
    return Convert(kind, known, out);
  }
  if (!value.is_scalar()) return MICRORT_ERROR(kUnsupported, "%s as a number", KindName(value.kind));
  if (kind == Kind::kFloat) {
    *out = Value::Float(value.AsDouble());
  } else if (kind == Kind::kBool) {
    *out = Value::Bool(value.AsDouble() != 0);
  } else {
    const bool fits = value.number > -9.2e18 && value.number < 9.2e18;
    if (value.Is(Kind::kFloat) && !fits) return MICRORT_ERROR(kInvalidModel, "a number does not fit 64 bits");
    *out = Value::Int(value.Is(Kind::kFloat) ? static_cast<int64_t>(value.number) : value.integer);
  }
  return Status();
}

Status Evaluator::IsInstance(const Value& value, const Expr& type, bool* out) {
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
  if (found == kTypes.end()) return MICRORT_ERROR(kUnsupported, "isinstance of '%s'", Shown(name).c_str());
  *out = value.kind == found->second;
  return Status();
}

}  // namespace micrort::frontend::torchscript
