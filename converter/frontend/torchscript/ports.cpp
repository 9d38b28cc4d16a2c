#include "converter/frontend/torchscript/ports.h"

#include <algorithm>
#include <set>
#include <utility>

#include "converter/frontend/common/fetches.h"
#include "converter/frontend/common/named_values.h"
#include "converter/frontend/common/text.h"

namespace micrort::frontend::torchscript {

namespace {

// "Tensor", "List" of List[Tensor].
const std::string& TypeName(const Expr& type) {
  return type.kind == ExprKind::kSubscript ? type.parts[0].text : type.text;
}

// "__torch__.Mode"
std::string ClassName(const Expr& type) {
  return type.kind == ExprKind::kAttribute ? ClassName(type.parts[0]) + "." + type.text : type.text;
}

std::vector<Expr> TypeArguments(const Expr& type) {
  if (type.kind != ExprKind::kSubscript) return {};
  const Expr& argument = type.parts[1];
  return argument.kind == ExprKind::kTuple ? argument.parts : std::vector<Expr>{argument};
}

}  // namespace

std::vector<std::string> Ports::GivenBelow(const std::string& name) const {
  std::vector<std::string> keys;
  const std::string prefix = name + ".";
  const auto add = [&](const std::string& given) {
    if (given.compare(0, prefix.size(), prefix) != 0) return;
    const std::string key = given.substr(prefix.size(), given.find('.', prefix.size()) - prefix.size());
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  };
  for (const auto& [given, shape] : options_.input_shapes) add(given);
  for (const InputValue& given : options_.input_values) add(given.input);
  return keys;
}

InputType Ports::StatedType(const std::string& name, DType otherwise) const {
  for (const InputType& given : options_.input_types) {
    if (inputs_.IsNext(given.input, name)) return given;
  }
  return {name, otherwise};
}

Result<std::vector<Value>> Ports::AddInputs(const Object& module) {
  MICRORT_ASSIGN_OR_RETURN(const Class* c, code_.FindClass(module.class_name));
  const Function* forward = c == nullptr ? nullptr : c->Find("forward");
  if (forward == nullptr || forward->parameters.empty())
    return Unsupported("the model '{}' has no method 'forward'", Shown(module.class_name));
  std::vector<Value> arguments;
  for (size_t i = 1; i < forward->parameters.size(); ++i) {
    const Parameter& p = forward->parameters[i];
    Result<Value> argument = MakeArgument(p.name, p.type, &p);
    if (!argument.ok()) return argument.status().WithPrefix("input '%s'", p.name.c_str());
    arguments.push_back(std::move(*argument));
  }
  MICRORT_RETURN_IF_ERROR(MissingShapes());
  MICRORT_RETURN_IF_ERROR(inputs_.CheckOptions());
  return arguments;
}

Status Ports::MissingShapes() const {
  if (without_shape_.empty()) return Status();
  std::string names, flags;
  for (const std::string& name : without_shape_) {
    names += (names.empty() ? "'" : ", '") + name + "'";
    flags += " --input-shape " + name + "=1x3x224x224";
  }
  return Unsupported(
      "TorchScript does not say how large its inputs are; give the shapes of {}, in the manner of{}", names,
      flags);
}

Result<Value> Ports::MakeArgument(const std::string& name, const Expr& type, const Parameter* parameter) {
  const std::string& kind = TypeName(type);
  const bool is_given = IsGiven(name) || !GivenBelow(name).empty();
  if (parameter != nullptr && parameter->has_default && !is_given)
    return evaluator_.EvalConstant(parameter->otherwise);
  // A tensor where the code says nothing else.
  if (kind == "Tensor" || kind.empty()) return MakeTensor(name);
  if (kind == "int") return MakeNumber(name, Kind::kInt);
  if (kind == "float") return MakeNumber(name, Kind::kFloat);
  if (kind == "bool") return MakeNumber(name, Kind::kBool);
  if (kind == "str") return MakeText(name);
  if (kind == "Optional") {
    if (!is_given) return Value();
    if (inputs_.NextText(name) == "None") {
      inputs_.TakeNextText(name);
      return Value();
    }
    const std::vector<Expr> types = TypeArguments(type);
    if (types.size() != 1) return Invalid("expected Optional of one type, found {}", types.size());
    return MakeArgument(name, types[0], nullptr);
  }
  if (kind == "List" || kind == "Tuple" || kind == "Dict") return MakeMany(name, type);
  const std::string class_name = ClassName(type);
  const Class* c = nullptr;
  if (class_name.compare(0, 10, "__torch__.") == 0)
    MICRORT_RETURN_IF_ERROR(Take(code_.FindClass(class_name), &c));
  if (c != nullptr && c->base == "Enum") return MakeMember(name, class_name, *c);
  return Unsupported(
      "it is of type {}; an input is a tensor, a number, a text, a member of an Enum, or tuples, lists and "
      "dictionaries of these",
      Shown(kind));
}

Result<Value> Ports::MakeText(const std::string& name) {
  if (!inputs_.HasValue(name))
    return Unsupported("it is a text, which has to be a constant: --input-value {}=TEXT", name);
  return Value::String(inputs_.TakeNextText(name));
}

// A member of an Enum is given by its name, with that of its class before it or without.
Result<Value> Ports::MakeMember(const std::string& name, const std::string& class_name, const Class& c) {
  std::string known;
  for (const ClassAttribute& member : c.attributes) {
    if (member.has_value) known += (known.empty() ? "" : ", ") + member.name;
  }
  if (!inputs_.HasValue(name))
    return Unsupported("it is a member of Enum {}, which has to be a constant: --input-value {}=MEMBER ({})",
                       Shown(c.name), name, Shown(known));
  const std::string given = inputs_.TakeNextText(name);
  const std::string prefix = c.name + ".";
  const std::string member =
      given.compare(0, prefix.size(), prefix) == 0 ? given.substr(prefix.size()) : given;
  MICRORT_ASSIGN_OR_RETURN(std::optional<Value> found, evaluator_.EvalMember(class_name + "." + member));
  if (found) return std::move(*found);
  return MICRORT_ERROR(kInvalidArgument, "--input-value %s=%s: expected a member of Enum %s (%s)",
                       name.c_str(), given.c_str(), Shown(c.name).c_str(), Shown(known).c_str());
}

Result<Value> Ports::MakeMany(const std::string& name, const Expr& type) {
  const std::string& kind = TypeName(type);
  const std::vector<Expr> types = TypeArguments(type);
  const bool is_tuple = kind == "Tuple";
  if (types.empty()) return Invalid("a type without its elements'");
  Value many = Value::Sequence(is_tuple ? Kind::kTuple : kind == "List" ? Kind::kList : Kind::kDict);
  std::vector<std::string> keys = GivenBelow(name);
  if (!is_tuple && keys.empty())
    return Unsupported("give the shape of each of its elements: --input-shape {}.{}=...", name,
                       kind == "List" ? "0" : "KEY");
  const size_t count = is_tuple ? types.size() : keys.size();
  for (size_t i = 0; i < count; ++i) {
    const std::string key = kind == "Dict" ? keys[i] : std::to_string(i);
    const Expr& element_type = is_tuple ? types[i] : types.back();
    MICRORT_ASSIGN_OR_RETURN(Value element, MakeArgument(name + "." + key, element_type, nullptr));
    if (kind == "Dict") many.items->push_back(Value::String(key));
    many.items->push_back(std::move(element));
  }
  return many;
}

// A value has a type of its own, where the user states none.
Result<Value> Ports::MakeTensor(const std::string& name) {
  ir::Value value;
  value.name = name;
  value.in_source = true;
  const InputType type = StatedType(name, inputs_.HasValue(name) ? DType::kUnknown : DType::kFloat32);
  value.dtype = type.dtype;
  ir::ValueId id = ir::kNoValue;
  if (IsGiven(name)) {
    MICRORT_ASSIGN_OR_RETURN(id, inputs_.Add(std::move(value)));
  } else {
    inputs_.PassOver(name);
    without_shape_.push_back(name);
    id = table_.graph().AddValue(std::move(value));
  }
  Value tensor = Value::OfTensor(table_.Make(id));
  tensor.tensor->is_complex = type.is_complex;
  const ir::Value& made = table_.graph().value(id);
  if (type.is_complex && made.has_shape && (made.rank() == 0 || made.shape.back() != 2))
    return Invalid("complex numbers are pairs of floats: expected a shape that ends with 2");
  return tensor;
}

Result<Value> Ports::MakeNumber(const std::string& name, Kind kind) {
  const bool is_given = inputs_.HasValue(name);
  ir::Value value;
  value.name = name;
  value.in_source = value.has_shape = true;
  value.dtype = kind == Kind::kInt ? DType::kInt64 : kind == Kind::kBool ? DType::kBool : DType::kFloat32;
  // Numbers of Python, which it is to the code.
  if (is_given && kind == Kind::kFloat) value.dtype = DType::kFloat64;
  if (is_given) {
    MICRORT_RETURN_IF_ERROR(inputs_.TakeNextValue(&value));
    return kind == Kind::kFloat ? Value::Float(*value.as<double>())
           : kind == Kind::kInt ? Value::Int(*value.as<int64_t>())
                                : Value::Bool(*value.as<uint8_t>() != 0);
  }
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId id, inputs_.Add(std::move(value)));
  Value number = Value::OfTensor(table_.Make(id));
  number.kind = kind;
  return number;
}

Status Ports::AddOutputs(const Value& result) {
  // Through objects, too, as if it became a part of something.
  MICRORT_RETURN_IF_ERROR(evaluator_.state().CheckInsertion(result, Value()));
  MICRORT_RETURN_IF_ERROR(Flatten("output", result));
  if (!options_.outputs.empty()) return KeepFetches();
  return !table_.graph().outputs.empty() ? Status() : Unsupported("the method 'forward' returns no tensor");
}

Status Ports::KeepFetches() {
  ir::Graph& graph = table_.graph();
  std::set<std::string> names;
  for (size_t i = 0; i < graph.value_count(); ++i)
    names.insert(graph.value(static_cast<ir::ValueId>(i)).name);
  MICRORT_RETURN_IF_ERROR(CheckFetches(options_.outputs, names));
  std::vector<ir::ValueId> fetched;
  for (const std::string& name : options_.outputs) fetched.push_back(graph.FindValue(name));
  const std::vector<ir::ValueId> own = std::exchange(graph.outputs, {});
  for (size_t i = 0; i < fetched.size(); ++i) {
    if (std::find(own.begin(), own.end(), fetched[i]) != own.end()) {
      graph.outputs.push_back(fetched[i]);
      continue;
    }
    MICRORT_RETURN_IF_ERROR(table_.assembler().AddOutput(options_.outputs[i], fetched[i]).status());
  }
  return Status();
}

Status Ports::Flatten(const std::string& name, const Value& value) {
  if (value.is_none() || value.Is(Kind::kString)) return Status();
  if (value.is_tensor() || value.is_scalar()) {
    ir::Builder builder = table_.assembler().BuilderFor({name, "output", 0}, name);
    OpContext c("output", builder, table_, {value});
    // Complex numbers as they are inside: pairs of floats.
    const bool is_complex = value.is_tensor() && value.tensor->is_complex;
    const ir::ValueId id = is_complex ? c.ComplexAt(0) : c.TensorAt(0);
    MICRORT_RETURN_IF_ERROR(c.status());
    MICRORT_ASSIGN_OR_RETURN(ir::ValueId output, table_.assembler().AddOutput(name, id));
    WarnIfRenamed("output", name, table_.graph().value(output), evaluator_.state().diagnostics);
    return Status();
  }
  if (value.is_sequence()) {
    for (size_t i = 0; i < value.items->size(); ++i)
      MICRORT_RETURN_IF_ERROR(Flatten(name + "." + std::to_string(i), (*value.items)[i]));
    return Status();
  }
  // Names of their own say more than a place does.
  const std::string prefix = name == "output" ? "" : name + ".";
  if (value.Is(Kind::kDict)) {
    for (size_t i = 0; i < value.items->size(); i += 2) {
      const Value& key = (*value.items)[i];
      const std::string text =
          key.Is(Kind::kString) && IsText(key.text) ? key.text.str() : std::to_string(i / 2);
      MICRORT_RETURN_IF_ERROR(Flatten(prefix + text, (*value.items)[i + 1]));
    }
    return Status();
  }
  if (value.Is(Kind::kObject)) {
    for (const auto& [attribute, item] : value.object->attributes)
      MICRORT_RETURN_IF_ERROR(Flatten(prefix + attribute, item));
    return Status();
  }
  return Unsupported("output '{}' is {}", name, KindName(value.kind));
}

}  // namespace micrort::frontend::torchscript
