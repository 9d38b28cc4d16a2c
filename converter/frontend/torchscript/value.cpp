#include "converter/frontend/torchscript/value.h"

namespace micrort::frontend::torchscript {

namespace {

void MoveAttributes(Object& object, std::vector<Value>* out) {
  for (auto& [name, value] : object.attributes) out->push_back(std::move(value));
  object.attributes.clear();
  if (object.state != nullptr && object.state.use_count() == 1) out->push_back(std::move(*object.state));
}

// Destroys values without recursion: the code of a model may put lists into each other without an end.
void Release(std::vector<Value> values) {
  while (!values.empty()) {
    const Value value = std::move(values.back());
    values.pop_back();
    if (value.items != nullptr && value.items.use_count() == 1) {
      for (Value& item : *value.items) values.push_back(std::move(item));
      value.items->clear();
    }
    if (value.object != nullptr && value.object.use_count() == 1) MoveAttributes(*value.object, &values);
  }
}

void ReleaseItems(std::vector<Value>* items) {
  Release(std::move(*items));
  delete items;
}

}  // namespace

Object::~Object() {
  std::vector<Value> values;
  MoveAttributes(*this, &values);
  Release(std::move(values));
}

Value* Object::Find(const std::string& name) {
  for (auto& [key, value] : attributes) {
    if (key == name) return &value;
  }
  return nullptr;
}

void Object::Set(const std::string& name, Value value) {
  if (Value* found = Find(name)) {
    *found = std::move(value);
  } else {
    attributes.emplace_back(name, std::move(value));
  }
}

const char* KindName(Kind kind) {
  switch (kind) {
    case Kind::kNone:
      return "None";
    case Kind::kBool:
      return "a bool";
    case Kind::kInt:
      return "an integer";
    case Kind::kFloat:
      return "a float";
    case Kind::kString:
      return "a string";
    case Kind::kDevice:
      return "a device";
    case Kind::kTensor:
      return "a tensor";
    case Kind::kList:
      return "a list";
    case Kind::kTuple:
      return "a tuple";
    case Kind::kDict:
      return "a dictionary";
    case Kind::kObject:
      return "an object";
    case Kind::kFunction:
      return "a function";
    case Kind::kUninitialized:
      return "a value that is not set";
    case Kind::kDiffering:
      return "a value that two branches give different types or ranks";
    case Kind::kStacked:
      return "elements of a list that grew in a loop";
    case Kind::kUnreachable:
      return "a value that cannot be computed";
  }
  return "?";
}

Value Value::Of(Kind kind) {
  Value value;
  value.kind = kind;
  return value;
}

Value Value::Bool(bool v) {
  Value value = Of(Kind::kBool);
  value.integer = v ? 1 : 0;
  return value;
}

Value Value::Int(int64_t v) {
  Value value = Of(Kind::kInt);
  value.integer = v;
  return value;
}

Value Value::Float(double v) {
  Value value = Of(Kind::kFloat);
  value.number = v;
  return value;
}

Value Value::String(std::string v) {
  Value value = Of(Kind::kString);
  value.text = std::move(v);
  return value;
}

Value Value::Sequence(Kind kind, std::vector<Value> items) {
  Value value = Of(kind);
  value.items = {new std::vector<Value>(std::move(items)), ReleaseItems};
  return value;
}

Value Value::Ints(const std::vector<int64_t>& v) {
  std::vector<Value> items;
  for (const int64_t i : v) items.push_back(Int(i));
  return Sequence(Kind::kList, std::move(items));
}

Value Value::OfObject(std::shared_ptr<Object> object) {
  Value value = Of(Kind::kObject);
  value.object = std::move(object);
  return value;
}

Value Value::OfEnum(std::string class_name, Value value) {
  auto object = std::make_shared<Object>();
  object->class_name = std::move(class_name);
  object->enum_value = std::make_shared<const Value>(std::move(value));
  return OfObject(std::move(object));
}

Value Value::OfTensor(std::shared_ptr<Tensor> tensor) {
  Value value = Of(Kind::kTensor);
  value.tensor = std::move(tensor);
  return value;
}

Value Value::OfStored(StoredTensor stored) {
  auto tensor = std::make_shared<Tensor>();
  tensor->is_complex = stored.is_complex;
  tensor->stored = std::make_shared<const StoredTensor>(std::move(stored));
  return OfTensor(std::move(tensor));
}

bool Value::operator==(const Value& other) const {
  if (is_scalar() && other.is_scalar() && !is_computed() && !other.is_computed())
    return AsDouble() == other.AsDouble();
  if (kind != other.kind || tensor != other.tensor) return false;
  if (object != other.object) {
    const bool are_members = object != nullptr && other.object != nullptr && object->enum_value != nullptr &&
                             other.object->enum_value != nullptr;
    return are_members && object->class_name == other.object->class_name &&
           *object->enum_value == *other.object->enum_value;
  }
  if (items == other.items) return text == other.text;
  return items != nullptr && other.items != nullptr && *items == *other.items;
}

}  // namespace micrort::frontend::torchscript
