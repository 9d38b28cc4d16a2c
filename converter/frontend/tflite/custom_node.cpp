#include "converter/frontend/tflite/custom_node.h"

#include <flatbuffers/flexbuffers.h>

#include <memory>

#include "converter/frontend/tflite/operator_names.h"
#include "converter/frontend/tflite/ops/custom_options.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_types.h"
#include "kernels/base/shape.h"
#include "micrort/custom_op.h"

namespace micrort::frontend::tflite {
namespace {

using flexbuffers::Reference;
using Attribute = schema::CustomAttributeT;

Status AddElement(const Reference& element, Attribute* out) {
  if (element.IsBool()) {
    out->ints.push_back(element.AsBool() ? 1 : 0);
  } else if (element.IsIntOrUint()) {
    out->ints.push_back(element.AsInt64());
  } else if (element.IsFloat()) {
    out->floats.push_back(element.AsFloat());
  } else if (element.IsString()) {
    out->texts.push_back(element.AsString().str());
  } else {
    return Unsupported("custom option '{}': expected numbers or text", out->name);
  }
  return Status();
}

template <typename VectorT>
Status AddElements(const VectorT& elements, Attribute* out) {
  for (size_t i = 0; i < elements.size(); ++i) MICRORT_RETURN_IF_ERROR(AddElement(elements[i], out));
  return Status();
}

Status ReadValue(const Reference& value, Attribute* out) {
  if (value.IsTypedVector()) return AddElements(value.AsTypedVector(), out);
  if (value.IsFixedTypedVector()) return AddElements(value.AsFixedTypedVector(), out);
  if (value.IsUntypedVector()) return AddElements(value.AsVector(), out);
  return AddElement(value, out);
}

// Attributes of integers and floats at once are none.
Status CheckKinds(const Attribute& attribute) {
  const int kinds = !attribute.ints.empty() + !attribute.floats.empty() + !attribute.texts.empty();
  if (kinds <= 1) return Status();
  return Unsupported("custom option '{}': expected elements of one type", attribute.name);
}

Status ReadMap(const flexbuffers::Map& map, schema::CustomOptionsT* out) {
  const flexbuffers::TypedVector keys = map.Keys();
  // Names may share their values: many would take the square of the file.
  if (keys.size() > MICRORT_MAX_CUSTOM_ATTRIBUTES)
    return Unsupported("expected at most {} custom options, found {}", MICRORT_MAX_CUSTOM_ATTRIBUTES,
                       keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    auto attribute = std::make_unique<Attribute>();
    attribute->name = keys[i].AsKey();
    MICRORT_RETURN_IF_ERROR(ReadValue(map.Values()[i], attribute.get()));
    MICRORT_RETURN_IF_ERROR(CheckKinds(*attribute));
    out->attributes.push_back(std::move(attribute));
  }
  return Status();
}

Status ReadAttributes(Span<const uint8_t> bytes, schema::CustomOptionsT* out) {
  if (bytes.empty()) return Status();
  Flexbuffer options;
  if (Flexbuffer::Read(bytes, &options) && options.root().IsMap())
    return ReadMap(options.root().AsMap(), out);
  auto attribute = std::make_unique<Attribute>();
  attribute->name = "custom_options";
  attribute->texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  out->attributes.push_back(std::move(attribute));
  return Status();
}

bool IsOpen(const fb::Tensor& tensor, unsigned axis) {
  const auto* shape = tensor.shape_signature();
  return shape != nullptr && shape->size() > axis && shape->Get(axis) == -1;
}

// An open first dimension is the batch, that of the first input with one; as schema::CustomOutput counts
// dimensions of inputs.
int32_t BatchOf(OpContext& c) {
  for (size_t i = 0; i < c.op.input_count(); ++i) {
    if (c.op.has_input(i) && IsOpen(c.op.tensor(i), 0)) return -2 - kMaxRank * static_cast<int32_t>(i);
  }
  return -1;
}

schema::CustomOutputT OutputOf(OpContext& c, const fb::Tensor& tensor) {
  schema::CustomOutputT output;
  const DType dtype = IsQuantizedActivation(tensor) ? DType::kFloat32 : DTypeOf(tensor.type());
  output.dtype = static_cast<schema::DType>(dtype);
  const auto* shape = tensor.shape_signature() != nullptr ? tensor.shape_signature() : tensor.shape();
  if (shape != nullptr) output.shape.assign(shape->begin(), shape->end());
  for (int32_t& dim : output.shape) dim = dim < 0 ? -1 : dim;
  if (IsOpen(tensor, 0)) output.shape[0] = BatchOf(c);
  return output;
}

Status ImportCustom(OpContext& c) {
  schema::CustomOptionsT options;
  options.domain = kCustomDomain;
  options.name = c.op.name();
  MICRORT_RETURN_IF_ERROR(ReadAttributes(c.op.custom_options(), &options));
  const size_t outputs = c.op.output_count();
  if (outputs == 0 || outputs > MICRORT_MAX_CUSTOM_TENSORS)
    return Unsupported("expected 1 to {} outputs of a custom operator, found {}", MICRORT_MAX_CUSTOM_TENSORS,
                       outputs);
  for (size_t i = 0; i < outputs; ++i) {
    if (!c.op.wants_output(i)) return Unsupported("output {} of a custom operator is absent", i);
    options.outputs.push_back(std::make_unique<schema::CustomOutputT>(OutputOf(c, c.op.output_tensor(i))));
  }
  std::vector<ir::ValueId> inputs;
  for (size_t i = 0; i < c.op.input_count(); ++i) inputs.push_back(c.input(i));
  const std::vector<ir::ValueId> ids = c.build.AddMany(std::move(options), std::move(inputs), outputs);
  for (size_t i = 0; i < outputs; ++i) c.SetOutput(i, ids[i]);
  return c.build.status();
}

constexpr OpImporter kCustomImporter = {"custom operators", 0, -1, ImportCustom};

}  // namespace

const OpImporter* ImporterFor(const std::string& op, const ImportOptions& options) {
  const OpImporter* importer = Importers().Find(op);
  if (importer != nullptr || IsOperatorName(op)) return importer;
  return options.custom_domains.count(kCustomDomain) != 0 ? &kCustomImporter : nullptr;
}

}  // namespace micrort::frontend::tflite
