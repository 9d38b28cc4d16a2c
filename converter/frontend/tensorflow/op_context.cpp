#include "converter/frontend/tensorflow/op_context.h"

#include <algorithm>
#include <limits>

#include "converter/frontend/tensorflow/tensor_types.h"

namespace micrort::frontend::tensorflow {

using ::tensorflow::AttrValue;

const AttrValue* OpContext::Find(const char* name) const {
  const auto found = node_.attr().find(name);
  if (found == node_.attr().end()) return nullptr;
  if (found->second.value_case() != AttrValue::kPlaceholder) return &found->second;
  if (call_ == nullptr) return nullptr;
  const auto given = call_->find(found->second.placeholder());
  return given == call_->end() ? nullptr : &given->second;
}

int64_t OpContext::Int(const char* name, int64_t otherwise) const {
  const AttrValue* attr = Find(name);
  return attr == nullptr || attr->value_case() != AttrValue::kI ? otherwise : attr->i();
}

float OpContext::Float(const char* name, float otherwise) const {
  const AttrValue* attr = Find(name);
  return attr == nullptr || attr->value_case() != AttrValue::kF ? otherwise : attr->f();
}

bool OpContext::Bool(const char* name, bool otherwise) const {
  const AttrValue* attr = Find(name);
  return attr == nullptr || attr->value_case() != AttrValue::kB ? otherwise : attr->b();
}

std::string OpContext::String(const char* name, const char* otherwise) const {
  const AttrValue* attr = Find(name);
  return attr == nullptr || attr->value_case() != AttrValue::kS ? otherwise : attr->s();
}

std::vector<int64_t> OpContext::Ints(const char* name) const {
  const AttrValue* attr = Find(name);
  if (attr == nullptr) return {};
  return {attr->list().i().begin(), attr->list().i().end()};
}

std::vector<std::string> OpContext::Strings(const char* name) const {
  const AttrValue* attr = Find(name);
  if (attr == nullptr) return {};
  return {attr->list().s().begin(), attr->list().s().end()};
}

Status OpContext::Type(const char* name, DType otherwise, DType* out) const {
  *out = otherwise;
  const AttrValue* attr = Find(name);
  if (attr == nullptr || attr->value_case() != AttrValue::kType) return Status();
  *out = DTypeOfTensorflow(attr->type());
  if (*out != DType::kUnknown) return Status();
  return MICRORT_ERROR(kUnsupported, "%s = %s", name, TypeName(attr->type()).c_str());
}

Status OpContext::Axis(int64_t axis, int rank, int* out) const {
  if (axis < -rank || axis >= rank) {
    return MICRORT_ERROR(kInvalidModel, "axis %lld of a tensor with %d dimensions",
                         static_cast<long long>(axis), rank);
  }
  *out = static_cast<int>(axis < 0 ? axis + rank : axis);
  return Status();
}

Status OpContext::Axes(const std::vector<int64_t>& axes, int rank, std::vector<int32_t>* out) const {
  out->clear();
  for (const int64_t axis : axes) {
    int index = 0;
    MICRORT_RETURN_IF_ERROR(Axis(axis, rank, &index));
    out->push_back(index);
  }
  std::sort(out->begin(), out->end());
  out->erase(std::unique(out->begin(), out->end()), out->end());
  return Status();
}

Status OpContext::ConstantIntegers(size_t i, std::vector<int64_t>* out) const {
  if (i < input_count() && ir::IntegersOf(x(i), out)) return Status();
  return MICRORT_ERROR(kUnsupported, "input %zu is no constant list of integers", i);
}

Status OpContext::ConstantFloats(size_t i, std::vector<float>* out) const {
  if (i < input_count() && ir::FloatsOf(x(i), out)) return Status();
  return MICRORT_ERROR(kUnsupported, "input %zu is no constant of floats", i);
}

Status OpContext::ConstantInteger(size_t i, int64_t* out) const {
  std::vector<int64_t> values;
  MICRORT_RETURN_IF_ERROR(ConstantIntegers(i, &values));
  if (values.size() != 1) {
    return MICRORT_ERROR(kInvalidModel, "input %zu: expected one integer, found %zu", i, values.size());
  }
  *out = values[0];
  return Status();
}

Status OpContext::ExpectRank(size_t i, int expected) const {
  if (rank(i) == expected) return Status();
  return MICRORT_ERROR(kInvalidModel, "input %zu: expected %d dimensions, found %d", i, expected, rank(i));
}

ir::ValueId OpContext::Scalar(DType dtype, double v) {
  if (dtype == DType::kFloat64) return build.Constant<double>({}, {v});
  if (dtype == DType::kInt64) return build.Constant<int64_t>({}, {static_cast<int64_t>(v)});
  if (dtype == DType::kInt32) return build.Constant<int32_t>({}, {static_cast<int32_t>(v)});
  const ir::ValueId scalar = build.Scalar(static_cast<float>(v));
  return dtype == DType::kFloat32 ? scalar : build.Cast(scalar, dtype);
}

ir::ValueId OpContext::AsInt64(ir::ValueId id) {
  return value(id).dtype == DType::kInt64 ? id : build.Cast(id, DType::kInt64);
}

Status ToInt32(int64_t v, const char* what, int32_t* out) {
  if (v < std::numeric_limits<int32_t>::min() || v > std::numeric_limits<int32_t>::max()) {
    return MICRORT_ERROR(kInvalidModel, "%s: %lld is out of range", what, static_cast<long long>(v));
  }
  *out = static_cast<int32_t>(v);
  return Status();
}

}  // namespace micrort::frontend::tensorflow
