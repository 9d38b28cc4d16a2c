// Functions, methods and classes of the code.

#include <algorithm>
#include <utility>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "converter/frontend/torchscript/statement_runner.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr int kMaxCallDepth = 100;

}  // namespace

Evaluator::Evaluator(CodeLibrary& code, TensorTable& table, Value constants, ImportDiagnostics* diagnostics,
                     WorkMeter* meter)
    : code_(code), constants_(std::move(constants)), state_(table, diagnostics, meter) {
  state_.run_function = [this](const Function& function, std::vector<Value> arguments, Keywords keywords) {
    const std::string path = state_.frame == nullptr ? "" : state_.frame->path;
    return CallFunction(function, path, std::move(arguments), std::move(keywords));
  };
}

Result<Value> Evaluator::CallMethod(const Value& object, const std::string& method,
                                    std::vector<Value> arguments) {
  return CallObject(object, method, std::move(arguments), {});
}

Result<Names> Evaluator::BindArguments(const Function& function, std::vector<Value> arguments,
                                       Keywords keywords) {
  const auto& parameters = function.parameters;
  MICRORT_RETURN_IF_ERROR(state_.meter.Spend(parameters.size() * (WorkMeter::kElement + keywords.size())));
  if (arguments.size() > parameters.size())
    return Invalid("'{}' takes {} arguments, found {}", function.name, parameters.size(), arguments.size());
  Names names;
  for (size_t i = 0; i < arguments.size(); ++i) names[parameters[i].name] = std::move(arguments[i]);
  for (auto& [name, value] : keywords) {
    const bool is_parameter = std::any_of(parameters.begin(), parameters.end(),
                                          [&n = name](const Parameter& p) { return p.name == n; });
    if (!is_parameter) return Invalid("'{}' has no argument '{}'", function.name, Shown(name));
    names[name] = std::move(value);
  }
  for (const Parameter& p : parameters) {
    if (names.count(p.name) != 0) continue;
    if (!p.has_default) return Invalid("'{}' is called without its argument '{}'", function.name, p.name);
    MICRORT_ASSIGN_OR_RETURN(names[p.name], EvalConstant(p.otherwise));
  }
  return names;
}

Result<Value> Evaluator::CallFunction(const Function& function, const std::string& path,
                                      std::vector<Value> arguments, Keywords keywords) {
  if (call_depth_ >= kMaxCallDepth) return Unsupported("more than {} calls inside each other", kMaxCallDepth);
  Frame frame;
  frame.function = &function;
  frame.path = path;
  frame.line = function.line;
  MICRORT_ASSIGN_OR_RETURN(frame.names, BindArguments(function, std::move(arguments), std::move(keywords)));
  Frame* const caller = std::exchange(state_.frame, &frame);
  ++call_depth_;
  const Status status = StatementRunner(*this).RunFunction();
  --call_depth_;
  state_.frame = caller;
  // The innermost line tells most.
  if (status.ok()) return std::move(frame.result);
  const bool is_located = std::string(status.message()).find(".py:") != std::string::npos;
  return is_located ? status : status.WithPrefix("%s:%d", function.file.c_str(), frame.line);
}

Result<Value> Evaluator::EvalConstant(const Expr& expr) {
  Frame frame;
  Frame* const caller = std::exchange(state_.frame, &frame);
  Result<Value> result = Eval(expr);
  state_.frame = caller;
  return result;
}

Result<Value> Evaluator::CallByName(const std::string& name, std::vector<Value> arguments,
                                    Keywords keywords) {
  MICRORT_ASSIGN_OR_RETURN(const Function* function, code_.FindFunction(name));
  const std::string path = state_.frame == nullptr ? "" : state_.frame->path;
  if (function != nullptr) return CallFunction(*function, path, std::move(arguments), std::move(keywords));
  MICRORT_ASSIGN_OR_RETURN(const Class* c, code_.FindClass(name));
  if (c != nullptr) return Construct(name, *c, std::move(arguments), std::move(keywords));
  return Invalid("the code has no '{}'", Shown(name));
}

Result<Value> Evaluator::Construct(const std::string& name, const Class& c, std::vector<Value> arguments,
                                   Keywords keywords) {
  auto object = std::make_shared<Object>();
  object->class_name = name;
  const Value made = Value::OfObject(object);
  if (c.base != "NamedTuple") {
    if (c.Find("__init__") == nullptr) return made;
    MICRORT_RETURN_IF_ERROR(CallObject(made, "__init__", std::move(arguments), std::move(keywords)).status());
    return made;
  }
  MICRORT_RETURN_IF_ERROR(state_.meter.Spend(c.attributes.size() * (c.attributes.size() + keywords.size())));
  for (size_t i = 0; i < c.attributes.size(); ++i) {
    Value value;
    if (i < arguments.size()) {
      value = arguments[i];
    } else if (c.attributes[i].has_value) {
      MICRORT_ASSIGN_OR_RETURN(value, EvalConstant(c.attributes[i].value));
    }
    for (const auto& [keyword, given] : keywords) {
      if (keyword == c.attributes[i].name) value = given;
    }
    object->Set(c.attributes[i].name, std::move(value));
  }
  return made;
}

Result<Value> Evaluator::CallValue(const Value& function, std::vector<Value> arguments, Keywords keywords) {
  if (function.Is(Kind::kUnreachable)) return function;
  if (!function.Is(Kind::kFunction)) return Invalid("{} is called as a function", KindName(function.kind));
  if (function.object == nullptr) return CallByName(function.text, std::move(arguments), std::move(keywords));
  return CallObject(Value::OfObject(function.object), function.text, std::move(arguments),
                    std::move(keywords));
}

Status Evaluator::Restore(Object& object) {
  if (object.state == nullptr) return Status();
  MICRORT_ASSIGN_OR_RETURN(const Class* c, code_.FindClass(object.class_name));
  const Function* restore = c == nullptr ? nullptr : c->Find("__setstate__");
  if (restore == nullptr) return Status();  // a class of PyTorch itself, whose operators read the state
  const std::shared_ptr<Value> state = std::move(object.state);
  object.state = nullptr;
  Value self = Value::Of(Kind::kObject);
  self.object = std::shared_ptr<Object>(&object, [](Object*) {});
  return CallFunction(*restore, object.path, {self, *state}, {}).status();
}

Result<Value> Evaluator::CallObject(const Value& object, const std::string& method,
                                    std::vector<Value> arguments, Keywords keywords) {
  if (object.Is(Kind::kUnreachable)) return object;
  if (!object.Is(Kind::kObject)) return Invalid("method '{}' of {}", Shown(method), KindName(object.kind));
  MICRORT_RETURN_IF_ERROR(Restore(*object.object));
  MICRORT_ASSIGN_OR_RETURN(const Class* c, code_.FindClass(object.object->class_name));
  if (c != nullptr) MICRORT_RETURN_IF_ERROR(state_.meter.Spend(1 + c->methods.size()));
  const Function* function = c == nullptr ? nullptr : c->Find(method);
  if (function == nullptr)
    return Invalid("the code of '{}' has no method '{}'", Shown(object.object->class_name), Shown(method));
  arguments.insert(arguments.begin(), object);
  return CallFunction(*function, object.object->path, std::move(arguments), std::move(keywords));
}

}  // namespace micrort::frontend::torchscript
