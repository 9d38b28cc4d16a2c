#include "converter/frontend/onnx/node_attributes.h"

#include "converter/frontend/onnx/names.h"
#include "converter/frontend/onnx/tensor_types.h"

namespace micrort::frontend::onnx {

using ::onnx::AttributeProto;

const AttributeProto* NodeAttributes::Find(const char* name) const {
  for (const AttributeProto& a : proto_.attribute()) {
    if (a.name() == name) return &a;
  }
  return nullptr;
}

const AttributeProto* NodeAttributes::Find(const char* name, AttributeProto::AttributeType type) {
  read_.insert(name);
  const AttributeProto* a = Find(name);
  if (a == nullptr) return nullptr;
  if (a->type() == type || a->type() == AttributeProto::UNDEFINED) return a;
  attribute_status_ =
      Invalid("attribute '{}': expected {}, found {}", name, ::onnx::AttributeProto_AttributeType_Name(type),
              ::onnx::AttributeProto_AttributeType_Name(a->type()));
  return nullptr;
}

int64_t NodeAttributes::Int(const char* name, int64_t otherwise) {
  const AttributeProto* a = Find(name, AttributeProto::INT);
  return a == nullptr ? otherwise : a->i();
}

Result<DType> NodeAttributes::Type(const char* name, DType otherwise) {
  if (!Has(name)) return otherwise;
  const int64_t code = Int(name, 0);
  const DType dtype = DTypeOfOnnx(code);
  if (dtype == DType::kUnknown) return Unsupported("{} {}", name, OnnxTypeName(code));
  return dtype;
}

float NodeAttributes::Float(const char* name, float otherwise) {
  const AttributeProto* a = Find(name, AttributeProto::FLOAT);
  return a == nullptr ? otherwise : a->f();
}

std::string NodeAttributes::String(const char* name, const char* otherwise) {
  const AttributeProto* a = Find(name, AttributeProto::STRING);
  if (a == nullptr) return otherwise;
  const Status text = CheckText(a->s(), ("attribute '" + std::string(name) + "'").c_str());
  if (text.ok()) return a->s();
  attribute_status_ = text;
  return otherwise;
}

std::vector<int64_t> NodeAttributes::Ints(const char* name, std::vector<int64_t> otherwise) {
  const AttributeProto* a = Find(name, AttributeProto::INTS);
  return a == nullptr ? otherwise : std::vector<int64_t>(a->ints().begin(), a->ints().end());
}

std::vector<float> NodeAttributes::Floats(const char* name) {
  const AttributeProto* a = Find(name, AttributeProto::FLOATS);
  return a == nullptr ? std::vector<float>() : std::vector<float>(a->floats().begin(), a->floats().end());
}

std::vector<std::string> NodeAttributes::Strings(const char* name) {
  const AttributeProto* a = Find(name, AttributeProto::STRINGS);
  if (a == nullptr) return {};
  return std::vector<std::string>(a->strings().begin(), a->strings().end());
}

const ::onnx::TensorProto* NodeAttributes::Tensor(const char* name) {
  const AttributeProto* a = Find(name, AttributeProto::TENSOR);
  return a == nullptr ? nullptr : &a->t();
}

const ::onnx::SparseTensorProto* NodeAttributes::SparseTensor(const char* name) {
  const AttributeProto* a = Find(name, AttributeProto::SPARSE_TENSOR);
  return a == nullptr ? nullptr : &a->sparse_tensor();
}

const ::onnx::GraphProto* NodeAttributes::Graph(const char* name) {
  const AttributeProto* a = Find(name, AttributeProto::GRAPH);
  return a == nullptr ? nullptr : &a->g();
}

void NodeAttributes::Ignore(std::initializer_list<const char*> names) {
  read_.insert(names.begin(), names.end());
}

const char* NodeAttributes::UnreadAttribute() const {
  for (const AttributeProto& a : proto_.attribute()) {
    if (read_.count(a.name()) == 0) return a.name().c_str();
  }
  return nullptr;
}

}  // namespace micrort::frontend::onnx
