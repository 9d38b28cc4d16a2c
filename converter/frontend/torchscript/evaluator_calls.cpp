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
  state_.run_function = [this](const Function& function, std::vector<Value> arguments, Keywords keywords,
                               Value* out) {
    const std::string path = state_.frame == nullptr ? "" : state_.frame->path;
    return CallFunction(function, path, std::move(arguments), std::move(keywords), out);
  };
}

Status Evaluator::CallMethod(const Value& object, const std::string& method, std::vector<Value> arguments,
                             Value* out) {
  return CallObject(object, method, std::move(arguments), {}, out);
}

Status Evaluator::BindArguments(const Function& function, std::vector<Value> arguments, Keywords keywords,
                                Names* out) {
  const auto& parameters = function.parameters;
  MICRORT_RETURN_IF_ERROR(state_.meter.Spend(parameters.size() * (WorkMeter::kElement + keywords.size())));
  if (arguments.size() > parameters.size())
    return Invalid("'{}' takes {} arguments, found {}", function.name, parameters.size(), arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) (*out)[parameters[i].name] = std::move(arguments[i]);
  for (auto& [name, value] : keywords) {
    const bool is_parameter = std::any_of(parameters.begin(), parameters.end(),
                                          [&n = name](const Parameter& p) { return p.name == n; });
    if (!is_parameter) return Invalid("'{}' has no argument '{}'", function.name, Shown(name));
    (*out)[name] = std::move(value);
  }
  for (const Parameter& p : parameters) {
    if (out->count(p.name) != 0) continue;
    if (!p.has_default) return Invalid("'{}' is called without its argument '{}'", function.name, p.name);
    MICRORT_RETURN_IF_ERROR(EvalConstant(p.otherwise, &(*out)[p.name]));
  }
  return Status();
}

Status Evaluator::CallFunction(const Function& function, const std::string& path,
                               std::vector<Value> arguments, Keywords keywords, Value* out) {
  if (call_depth_ >= kMaxCallDepth) return Unsupported("more than {} calls inside each other", kMaxCallDepth);
  Frame frame;
  frame.function = &function;
  frame.path = path;
  frame.line = function.line;
  MICRORT_RETURN_IF_ERROR(BindArguments(function, std::move(arguments), std::move(keywords), &frame.names));
  Frame* const caller = std::exchange(state_.frame, &frame);
  ++call_depth_;
  const Status status = StatementRunner(*this).RunFunction();
  --call_depth_;
  state_.frame = caller;
  // The innermost line tells most.
  if (!status.ok()) {
    const bool is_located = std::string(status.message()).find(".py:") != std::string::npos;
    return is_located ? status : status.WithPrefix("%s:%d", function.file.c_str(), frame.line);
  }
  *out = std::move(frame.result);
  return Status();
}

Status Evaluator::EvalConstant(const Expr& expr, Value* out) {
  Frame frame;
  Frame* const caller = std::exchange(state_.frame, &frame);
  const Status status = Eval(expr, out);
  state_.frame = caller;
  return status;
}

Status Evaluator::CallByName(const std::string& name, std::vector<Value> arguments, Keywords keywords,
                             Value* out) {
  MICRORT_ASSIGN_OR_RETURN(const Function* function, code_.FindFunction(name));
  const std::string path = state_.frame == nullptr ? "" : state_.frame->path;
  if (function != nullptr)
    return CallFunction(*function, path, std::move(arguments), std::move(keywords), out);
  const Class* c = nullptr;
  MICRORT_RETURN_IF_ERROR(code_.FindClass(name, &c));
  if (c != nullptr) return Construct(name, *c, std::move(arguments), std::move(keywords), out);
  return Invalid("the code has no '{}'", Shown(name));
}

Status Evaluator::Construct(const std::string& name, const Class& c, std::vector<Value> arguments,
                            Keywords keywords, Value* out) {
  auto object = std::make_shared<Object>();
  object->class_name = name;
  *out = Value::OfObject(object);
  if (c.base != "NamedTuple") {
    if (c.Find("__init__") == nullptr) return Status();
    Value nothing;
    return CallObject(*out, "__init__", std::move(arguments), std::move(keywords), &nothing);
  }
  MICRORT_RETURN_IF_ERROR(state_.meter.Spend(c.attributes.size() * (c.attributes.size() + keywords.size())));
  for (size_t i = 0; i < c.attributes.size(); ++i) {
    Value value;
    if (i < arguments.size()) {
      value = arguments[i];
    } else if (c.attributes[i].has_value) {
      MICRORT_RETURN_IF_ERROR(EvalConstant(c.attributes[i].value, &value));
    }
    for (const auto& [keyword, given] : keywords) {
      if (keyword == c.attributes[i].name) value = given;
    }
    object->Set(c.attributes[i].name, std::move(value));
  }
  return Status();
}

Status Evaluator::CallValue(const Value& function, std::vector<Value> arguments, Keywords keywords,
                            Value* out) {
  if (function.Is(Kind::kUnreachable)) {
    *out = function;
    return Status();
  }
  if (!function.Is(Kind::kFunction)) return Invalid("{} is called as a function", KindName(function.kind));
  if (function.object == nullptr)
    return CallByName(function.text, std::move(arguments), std::move(keywords), out);
  return CallObject(Value::OfObject(function.object), function.text, std::move(arguments),
                    std::move(keywords), out);
}

Status Evaluator::Restore(Object& object) {
  if (object.state == nullptr) return Status();
  const Class* c = nullptr;
  MICRORT_RETURN_IF_ERROR(code_.FindClass(object.class_name, &c));
  const Function* restore = c == nullptr ? nullptr : c->Find("__setstate__");
  if (restore == nullptr) return Status();  // a class of PyTorch itself, whose operators read the state
  const std::shared_ptr<Value> state = std::move(object.state);
  object.state = nullptr;
  Value self = Value::Of(Kind::kObject), nothing;
  self.object = std::shared_ptr<Object>(&object, [](Object*) {});
  return CallFunction(*restore, object.path, {self, *state}, {}, &nothing);
}

Status Evaluator::CallObject(const Value& object, const std::string& method, std::vector<Value> arguments,
                             Keywords keywords, Value* out) {
  if (object.Is(Kind::kUnreachable)) {
    *out = object;
    return Status();
  }
  if (!object.Is(Kind::kObject)) return Invalid("method '{}' of {}", Shown(method), KindName(object.kind));
  MICRORT_RETURN_IF_ERROR(Restore(*object.object));
  const Class* c = nullptr;
  MICRORT_RETURN_IF_ERROR(code_.FindClass(object.object->class_name, &c));
  if (c != nullptr) MICRORT_RETURN_IF_ERROR(state_.meter.Spend(1 + c->methods.size()));
  const Function* function = c == nullptr ? nullptr : c->Find(method);
  if (function == nullptr)
    return Invalid("the code of '{}' has no method '{}'", Shown(object.object->class_name), Shown(method));
  arguments.insert(arguments.begin(), object);
  return CallFunction(*function, object.object->path, std::move(arguments), std::move(keywords), out);
}

}  // namespace micrort::frontend::torchscript
