#include "converter/frontend/onnx/node_context.h"

#include <algorithm>
#include <limits>

#include "converter/frontend/onnx/names.h"

namespace micrort::frontend::onnx {

using ::onnx::AttributeProto;

NodeContext::NodeContext(const ::onnx::NodeProto& proto, int opset, ir::Builder& builder,
                         GraphImporter* importer, ListTable& lists, std::vector<ir::ValueId> inputs)
    : build(builder),
      graphs(importer),
      proto_(proto),
      opset_(opset),
      lists_(lists),
      inputs_(std::move(inputs)) {
  outputs_.assign(output_count(), ir::kNoValue);
}

void NodeContext::SetOutput(size_t i, ir::ValueId id) {
  if (i < outputs_.size()) outputs_[i] = id;
}

Status NodeContext::Return(ir::ValueId id) {
  SetOutput(0, id);
  return build.status();
}

const AttributeProto* NodeContext::Find(const char* name) const {
  for (const AttributeProto& a : proto_.attribute()) {
    if (a.name() == name) return &a;
  }
  return nullptr;
}

const AttributeProto* NodeContext::Find(const char* name, AttributeProto::AttributeType type) {
  read_.insert(name);
  const AttributeProto* a = Find(name);
  if (a == nullptr) return nullptr;
  if (a->type() == type || a->type() == AttributeProto::UNDEFINED) return a;
  attribute_status_ = MICRORT_ERROR(kInvalidModel, "attribute '%s': expected %s, found %s", name,
                                    ::onnx::AttributeProto_AttributeType_Name(type).c_str(),
                                    ::onnx::AttributeProto_AttributeType_Name(a->type()).c_str());
  return nullptr;
}

int64_t NodeContext::Int(const char* name, int64_t otherwise) {
  const AttributeProto* a = Find(name, AttributeProto::INT);
  return a == nullptr ? otherwise : a->i();
}

float NodeContext::Float(const char* name, float otherwise) {
  const AttributeProto* a = Find(name, AttributeProto::FLOAT);
  return a == nullptr ? otherwise : a->f();
}

std::string NodeContext::String(const char* name, const char* otherwise) {
  const AttributeProto* a = Find(name, AttributeProto::STRING);
  if (a == nullptr) return otherwise;
  if (IsText(a->s())) return a->s();
  attribute_status_ = MICRORT_ERROR(kInvalidModel, "attribute '%s' is not UTF-8 text", name);
  return otherwise;
}

std::vector<int64_t> NodeContext::Ints(const char* name, std::vector<int64_t> otherwise) {
  const AttributeProto* a = Find(name, AttributeProto::INTS);
  return a == nullptr ? otherwise : std::vector<int64_t>(a->ints().begin(), a->ints().end());
}

std::vector<float> NodeContext::Floats(const char* name) {
  const AttributeProto* a = Find(name, AttributeProto::FLOATS);
  return a == nullptr ? std::vector<float>() : std::vector<float>(a->floats().begin(), a->floats().end());
}

std::vector<std::string> NodeContext::Strings(const char* name) {
  const AttributeProto* a = Find(name, AttributeProto::STRINGS);
  if (a == nullptr) return {};
  return std::vector<std::string>(a->strings().begin(), a->strings().end());
}

const ::onnx::TensorProto* NodeContext::Tensor(const char* name) {
  const AttributeProto* a = Find(name, AttributeProto::TENSOR);
  return a == nullptr ? nullptr : &a->t();
}

const ::onnx::SparseTensorProto* NodeContext::SparseTensor(const char* name) {
  const AttributeProto* a = Find(name, AttributeProto::SPARSE_TENSOR);
  return a == nullptr ? nullptr : &a->sparse_tensor();
}

const ::onnx::GraphProto* NodeContext::Graph(const char* name) {
  const AttributeProto* a = Find(name, AttributeProto::GRAPH);
  return a == nullptr ? nullptr : &a->g();
}

void NodeContext::Ignore(std::initializer_list<const char*> names) {
  read_.insert(names.begin(), names.end());
}

const char* NodeContext::UnreadAttribute() const {
  for (const AttributeProto& a : proto_.attribute()) {
    if (read_.count(a.name()) == 0) return a.name().c_str();
  }
  return nullptr;
}

Status NodeContext::Axis(int64_t axis, int rank, int* out) const {
  if (axis < -rank || axis >= rank) {
    return MICRORT_ERROR(kInvalidModel, "axis %lld of %d dimensions", static_cast<long long>(axis), rank);
  }
  *out = static_cast<int>(axis < 0 ? axis + rank : axis);
  return Status();
}

Status NodeContext::Axes(const std::vector<int64_t>& axes, int rank, std::vector<int32_t>* out) const {
  std::set<int32_t> sorted;
  for (int64_t axis : axes) {
    int index = 0;
    MICRORT_RETURN_IF_ERROR(Axis(axis, rank, &index));
    sorted.insert(index);
  }
  out->assign(sorted.begin(), sorted.end());
  return Status();
}

Status NodeContext::ConstantIntegers(size_t i, std::vector<int64_t>* out) const {
  if (ir::IntegersOf(x(i), out)) return Status();
  return MICRORT_ERROR(kUnsupported, "input %zu ('%s') must be a constant of int32 or int64", i,
                       x(i).name.c_str());
}

Status NodeContext::ConstantFloats(size_t i, std::vector<float>* out) const {
  if (ir::FloatsOf(x(i), out)) return Status();
  return MICRORT_ERROR(kUnsupported, "input %zu ('%s') must be a constant of floats", i, x(i).name.c_str());
}

ir::ValueId NodeContext::Scalar(DType dtype, float v) {
  const ir::ValueId scalar = build.Scalar(v);
  return dtype == DType::kFloat32 ? scalar : build.Cast(scalar, dtype);
}

Status ToInt32(int64_t v, const char* what, int32_t* out) {
  if (v < std::numeric_limits<int32_t>::min() || v > std::numeric_limits<int32_t>::max()) {
    return MICRORT_ERROR(kInvalidModel, "%s: %lld does not fit 32 bits", what, static_cast<long long>(v));
  }
  *out = static_cast<int32_t>(v);
  return Status();
}

}  // namespace micrort::frontend::onnx
