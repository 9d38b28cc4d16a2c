#include "converter/frontend/tensorflow/custom_node.h"

#include <map>
#include <memory>
#include <utility>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/tensorflow/tensor_types.h"

namespace micrort::frontend::tensorflow {
namespace {

using ::tensorflow::AttrValue;

constexpr char kOutputShapes[] = "_output_shapes";

Status ReadList(const AttrValue::ListValue& list, schema::CustomAttributeT* out) {
  out->ints.assign(list.i().begin(), list.i().end());
  out->ints.insert(out->ints.end(), list.b().begin(), list.b().end());
  out->ints.insert(out->ints.end(), list.type().begin(), list.type().end());
  out->floats.assign(list.f().begin(), list.f().end());
  out->texts.assign(list.s().begin(), list.s().end());
  if (list.shape_size() == 0 && list.tensor_size() == 0 && list.func_size() == 0) return Status();
  return Unsupported("attribute '{}' of a custom operator: expected numbers or text", out->name);
}

Status ReadAttribute(const AttrValue& source, schema::CustomAttributeT* out) {
  switch (source.value_case()) {
    case AttrValue::kI:
      out->ints = {source.i()};
      return Status();
    case AttrValue::kB:
      out->ints = {source.b()};
      return Status();
    case AttrValue::kType:
      out->ints = {source.type()};
      return Status();
    case AttrValue::kF:
      out->floats = {source.f()};
      return Status();
    case AttrValue::kS:
      out->texts = {source.s()};
      return Status();
    case AttrValue::kList:
      return ReadList(source.list(), out);
    default:
      return Unsupported("attribute '{}' of a custom operator: expected numbers or text", out->name);
  }
}

const AttrValue* AttrOf(const ::tensorflow::NodeDef& node, const char* name) {
  const auto found = node.attr().find(name);
  return found == node.attr().end() ? nullptr : &found->second;
}

// Nothing is stated of what is beyond the list.
schema::CustomOutputT OutputOf(const ::tensorflow::NodeDef& node, int i) {
  schema::CustomOutputT output;
  const AttrValue *shapes = AttrOf(node, kOutputShapes), *type = AttrOf(node, "T");
  if (shapes == nullptr || type == nullptr || i >= shapes->list().shape_size()) return output;
  const auto& shape = shapes->list().shape(i);
  if (shape.unknown_rank()) return output;
  output.dtype = static_cast<schema::DType>(DTypeOfTensorflow(type->type()));
  for (const auto& dim : shape.dim()) {
    output.shape.push_back(dim.size() >= 0 && dim.size() <= INT32_MAX ? static_cast<int32_t>(dim.size())
                                                                      : -1);
  }
  return output;
}

}  // namespace

Status CustomOptionsOf(const ::tensorflow::NodeDef& node, size_t outputs, schema::CustomOptionsT* options) {
  options->domain = kCustomDomain;
  options->name = node.op();
  // Protobuf's maps have no order of their own, and files should be the same every time.
  const std::map<std::string, AttrValue> attributes(node.attr().begin(), node.attr().end());
  for (const auto& [name, value] : attributes) {
    if (!name.empty() && name[0] == '_') continue;  // what tools noted
    auto attribute = std::make_unique<schema::CustomAttributeT>();
    attribute->name = name;
    MICRORT_RETURN_IF_ERROR(ReadAttribute(value, attribute.get()));
    options->attributes.push_back(std::move(attribute));
  }
  for (size_t i = 0; i < outputs; ++i)
    options->outputs.push_back(std::make_unique<schema::CustomOutputT>(OutputOf(node, static_cast<int>(i))));
  return Status();
}

}  // namespace micrort::frontend::tensorflow
