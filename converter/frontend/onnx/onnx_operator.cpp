#include "converter/frontend/common/onnx_operator.h"

#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend {

namespace {

void SetValue(const OnnxAttribute& attribute, ::onnx::AttributeProto* out) {
  using ::onnx::AttributeProto;
  out->set_name(attribute.name);
  if (const auto* integer = std::get_if<int64_t>(&attribute.value)) {
    out->set_type(AttributeProto::INT);
    out->set_i(*integer);
  } else if (const auto* number = std::get_if<float>(&attribute.value)) {
    out->set_type(AttributeProto::FLOAT);
    out->set_f(*number);
  } else if (const auto* text = std::get_if<std::string>(&attribute.value)) {
    out->set_type(AttributeProto::STRING);
    out->set_s(*text);
  } else if (const auto* texts = std::get_if<std::vector<std::string>>(&attribute.value)) {
    out->set_type(AttributeProto::STRINGS);
    for (const std::string& one : *texts) out->add_strings(one);
  } else {
    out->set_type(AttributeProto::INTS);
    for (const int64_t i : std::get<std::vector<int64_t>>(attribute.value)) out->add_ints(i);
  }
}

}  // namespace

Result<std::vector<ir::ValueId>> AddOnnxOperator(const std::string& op, int opset,
                                                 const std::vector<ir::ValueId>& inputs,
                                                 const std::vector<OnnxAttribute>& attributes,
                                                 ir::Builder& build, size_t count) {
  const onnx::OpImporter* importer = onnx::FindImporter("", op);
  if (importer == nullptr) return Unsupported("ONNX's operator {}", op);
  ::onnx::NodeProto node;
  node.set_op_type(op);
  for (size_t i = 0; i < count; ++i) node.add_output("y" + std::to_string(i));
  for (const OnnxAttribute& attribute : attributes) SetValue(attribute, node.add_attribute());
  std::vector<ir::ValueId> given = inputs;
  while (!given.empty() && given.back() == ir::kNoValue) given.pop_back();
  if (given.size() < static_cast<size_t>(importer->min_inputs))
    return Invalid("{} of {} tensors", op, given.size());
  onnx::SequenceTable sequences;
  onnx::NodeContext c(node, opset, build, nullptr, sequences, std::move(given));
  const Status imported = importer->import(c);
  MICRORT_RETURN_IF_ERROR(c.attribute_status());
  MICRORT_RETURN_IF_ERROR(build.status());
  MICRORT_RETURN_IF_ERROR(imported);
  if (c.UnreadAttribute() != nullptr) return Unsupported("{} with '{}'", op, c.UnreadAttribute());
  for (size_t i = 0; i < count; ++i) {
    if (c.outputs()[i] == ir::kNoValue) return Unsupported("output {} of {}", i, op);
  }
  return c.outputs();
}

}  // namespace micrort::frontend
