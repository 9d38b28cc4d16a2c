#include "converter/frontend/onnx/custom_node.h"

#include <memory>
#include <utility>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/tensor_types.h"
#include "kernels/base/shape.h"

namespace micrort::frontend::onnx {
namespace {

using ::onnx::AttributeProto;

Status ReadAttribute(const AttributeProto& source, schema::CustomAttributeT* out) {
  out->name = source.name();
  switch (source.type()) {
    case AttributeProto::INT:
      out->ints = {source.i()};
      return Status();
    case AttributeProto::INTS:
      out->ints.assign(source.ints().begin(), source.ints().end());
      return Status();
    case AttributeProto::FLOAT:
      out->floats = {source.f()};
      return Status();
    case AttributeProto::FLOATS:
      out->floats.assign(source.floats().begin(), source.floats().end());
      return Status();
    case AttributeProto::STRING:
      out->texts = {source.s()};
      return Status();
    case AttributeProto::STRINGS:
      out->texts.assign(source.strings().begin(), source.strings().end());
      return Status();
    default:
      return Unsupported(
          "attribute '{}' of a custom operator: expected numbers or text, found {}; give tensors as inputs",
          source.name(), AttributeProto::AttributeType_Name(source.type()));
  }
}

// The dimension of an input that has this name, as schema::CustomOutput counts them; -1 if none has.
int32_t FindDim(const ::onnx::NodeProto& node, const StatedTypes& types, const std::string& name) {
  for (int i = 0; i < node.input_size() && !name.empty(); ++i) {
    const auto* type = types.Find(node.input(i));
    for (int d = 0; type != nullptr && d < type->shape().dim_size() && d < kMaxRank; ++d) {
      if (type->shape().dim(d).dim_param() == name) return -2 - (kMaxRank * i + d);
    }
  }
  return -1;
}

schema::CustomOutputT OutputOf(const ::onnx::NodeProto& node, const StatedTypes& types,
                               const ::onnx::TypeProto::Tensor& type) {
  schema::CustomOutputT output;
  // Without a shape nothing is known, which is not the same as a scalar.
  if (!type.has_shape()) return output;
  output.dtype = static_cast<schema::DType>(DTypeOfOnnx(type.elem_type()));
  for (const auto& dim : type.shape().dim()) {
    const bool is_fixed = dim.has_dim_value() && dim.dim_value() >= 0 && dim.dim_value() <= INT32_MAX;
    output.shape.push_back(is_fixed ? static_cast<int32_t>(dim.dim_value())
                                    : FindDim(node, types, dim.dim_param()));
  }
  return output;
}

}  // namespace

StatedTypes::StatedTypes(const ::onnx::GraphProto& graph) {
  for (const auto* list : {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const auto& info : *list) {
      if (info.type().has_tensor_type()) types_.emplace(info.name(), &info.type().tensor_type());
    }
  }
}

const ::onnx::TypeProto::Tensor* StatedTypes::Find(const std::string& name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? nullptr : found->second;
}

Status CustomOptionsOf(const ::onnx::NodeProto& node, const StatedTypes& types,
                       schema::CustomOptionsT* options) {
  options->domain = node.domain();
  options->name = node.op_type();
  for (const auto& source : node.attribute()) {
    auto attribute = std::make_unique<schema::CustomAttributeT>();
    MICRORT_RETURN_IF_ERROR(ReadAttribute(source, attribute.get()));
    options->attributes.push_back(std::move(attribute));
  }
  for (const std::string& name : node.output()) {
    const auto* type = types.Find(name);
    options->outputs.push_back(std::make_unique<schema::CustomOutputT>(
        type == nullptr ? schema::CustomOutputT() : OutputOf(node, types, *type)));
  }
  return Status();
}

}  // namespace micrort::frontend::onnx
