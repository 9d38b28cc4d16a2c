#include "converter/frontend/tensorflow/node_attributes.h"

#include "converter/frontend/tensorflow/tensor_types.h"

namespace micrort::frontend::tensorflow {

using ::tensorflow::AttrValue;

const AttrValue* NodeAttributes::Find(const char* name) const {
  const auto found = node_.attr().find(name);
  if (found == node_.attr().end()) return nullptr;
  if (found->second.value_case() != AttrValue::kPlaceholder) return &found->second;
  if (call_ == nullptr) return nullptr;
  const auto given = call_->find(found->second.placeholder());
  return given == call_->end() ? nullptr : &given->second;
}

int64_t NodeAttributes::Int(const char* name, int64_t otherwise) const {
  const AttrValue* attr = Find(name);
  return attr == nullptr || attr->value_case() != AttrValue::kI ? otherwise : attr->i();
}

float NodeAttributes::Float(const char* name, float otherwise) const {
  const AttrValue* attr = Find(name);
  return attr == nullptr || attr->value_case() != AttrValue::kF ? otherwise : attr->f();
}

bool NodeAttributes::Bool(const char* name, bool otherwise) const {
  const AttrValue* attr = Find(name);
  return attr == nullptr || attr->value_case() != AttrValue::kB ? otherwise : attr->b();
}

std::string NodeAttributes::String(const char* name, const char* otherwise) const {
  const AttrValue* attr = Find(name);
  return attr == nullptr || attr->value_case() != AttrValue::kS ? otherwise : attr->s();
}

std::vector<int64_t> NodeAttributes::Ints(const char* name) const {
  const AttrValue* attr = Find(name);
  if (attr == nullptr) return {};
  return {attr->list().i().begin(), attr->list().i().end()};
}

std::vector<std::string> NodeAttributes::Strings(const char* name) const {
  const AttrValue* attr = Find(name);
  if (attr == nullptr) return {};
  return {attr->list().s().begin(), attr->list().s().end()};
}

Result<DType> NodeAttributes::Type(const char* name, DType otherwise) const {
  const AttrValue* attr = Find(name);
  if (attr == nullptr || attr->value_case() != AttrValue::kType) return otherwise;
  const DType dtype = DTypeOfTensorflow(attr->type());
  if (dtype == DType::kUnknown) return Unsupported("{} = {}", name, TypeName(attr->type()));
  return dtype;
}

}  // namespace micrort::frontend::tensorflow
