#include "serve/protocol/v2_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "serve/protocol/data_type.h"
#include "serve/protocol/json_read.h"
#include "serve/protocol/json_tensor.h"

namespace micrort::serve {
namespace {

using Json = nlohmann::json;

// The list `name` of an object; null if it is absent.
Error FindList(const Json& object, const char* name, const Json** list) {
  const auto found = object.find(name);
  *list = found == object.end() ? nullptr : &*found;
  if (*list != nullptr && !(*list)->is_array())
    return Invalid(std::string("request: expected '") + name + "' to be a list");
  return {};
}

// The object `parameters` of an object; null if it is absent.
Error FindParameters(const Json& object, const std::string& where, const Json** parameters) {
  const auto found = object.find("parameters");
  *parameters = found == object.end() ? nullptr : &*found;
  if (*parameters != nullptr && !(*parameters)->is_object())
    return Invalid(where + ": expected 'parameters' to be an object");
  return {};
}

// Takes tensors from the bytes behind the JSON, one after the other.
class InputParser {
 public:
  InputParser(Span<const uint8_t> binary, size_t max_tensor_bytes)
      : binary_(binary), max_tensor_bytes_(max_tensor_bytes) {}

  Error Parse(const Json& json, Tensor* tensor) {
    if (!json.is_object())
      return Invalid("request: expected each of 'inputs' to be an object, found " + JsonKind(json));
    MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(json, "input", "name", &tensor->name));
    const std::string where = "input '" + tensor->name + "'";
    if (tensor->name.empty()) return Invalid("request: an input has no 'name'");
    std::string datatype;
    MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(json, where, "datatype", &datatype));
    tensor->dtype = FromProtocolName(datatype);
    if (tensor->dtype == DType::kUnknown)
      return Invalid(where + ": no model takes datatype '" + datatype + "'" + ProtocolNameHint(datatype));
    if (json.find("shape") == json.end())
      return Invalid(where + ": expected 'shape', found " + JsonMembers(json));
    MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(json, where, "shape", &tensor->shape));

    const Json* parameters = nullptr;
    MICRORT_SERVE_RETURN_IF_ERROR(FindParameters(json, where, &parameters));
    const bool is_binary = parameters != nullptr && parameters->contains("binary_data_size");
    const auto data = json.find("data");
    if (is_binary == (data != json.end()))
      return Invalid(where + ": expected either 'data' or the parameter 'binary_data_size'");
    if (!is_binary) return ParseElements(*data, max_tensor_bytes_, tensor);
    uint64_t size = 0;
    MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(*parameters, where, "binary_data_size", &size));
    return TakeBytes(where, size, tensor);
  }

  Error CheckEnd() const {
    if (binary_.empty()) return {};
    return Invalid("request: " + std::to_string(binary_.size()) + " bytes behind the last binary tensor");
  }

 private:
  Error TakeBytes(const std::string& where, uint64_t size, Tensor* tensor) {
    size_t expected = 0;
    MICRORT_SERVE_RETURN_IF_ERROR(
        TensorBytes(tensor->name, tensor->dtype, tensor->shape, max_tensor_bytes_, &expected));
    if (size != expected) {
      return Invalid(where + ": expected " + std::to_string(expected) + " bytes for shape " +
                     ShapeText(tensor->shape) + ", found a binary_data_size of " + std::to_string(size));
    }
    if (size > binary_.size()) {
      return Invalid(where + ": expected " + std::to_string(size) + " bytes behind the JSON, found " +
                     std::to_string(binary_.size()));
    }
    tensor->data = {binary_.data(), expected};
    binary_ = {binary_.data() + expected, binary_.size() - expected};
    return {};
  }

  Span<const uint8_t> binary_;
  size_t max_tensor_bytes_;
};

Error ParseOutput(const Json& json, bool binary_by_default, RequestedOutput* output) {
  if (!json.is_object())
    return Invalid("request: expected each of 'outputs' to be an object, found " + JsonKind(json));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(json, "output", "name", &output->name));
  const std::string where = "output '" + output->name + "'";
  if (output->name.empty()) return Invalid("request: an output has no 'name'");
  output->is_binary = binary_by_default;
  const Json* parameters = nullptr;
  MICRORT_SERVE_RETURN_IF_ERROR(FindParameters(json, where, &parameters));
  if (parameters == nullptr) return {};
  uint64_t classes = 0;
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(*parameters, where, "classification", &classes));
  if (classes != 0) return Invalid(where + ": the classification extension is not supported");
  return ReadMember(*parameters, where, "binary_data", &output->is_binary);
}

Error ParseParameters(const Json& parameters, InferRequest* request) {
  const std::string where = "parameters";
  uint64_t priority = 0;
  MICRORT_SERVE_RETURN_IF_ERROR(
      ReadMember(parameters, where, "binary_data_output", &request->binary_outputs));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(parameters, where, "timeout", &request->timeout_us));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(parameters, where, "priority", &priority));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(parameters, where, "sequence_id", &request->sequence));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(parameters, where, "sequence_start", &request->sequence_start));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(parameters, where, "sequence_end", &request->sequence_end));
  request->priority = static_cast<uint32_t>(std::min<uint64_t>(priority, UINT32_MAX));
  return {};
}

bool WantsBytes(const InferRequest& request, const std::string& output) {
  for (const RequestedOutput& requested : request.outputs) {
    if (requested.name == output) return requested.is_binary;
  }
  return request.binary_outputs;
}

}  // namespace

Error ParseV2Request(Span<const uint8_t> body, std::optional<size_t> json_bytes, size_t max_tensor_bytes,
                     InferRequest* request) {
  const size_t header = json_bytes.value_or(body.size());
  if (header > body.size()) {
    return Invalid("Inference-Header-Content-Length is " + std::to_string(header) + ", the body has " +
                   std::to_string(body.size()) + " bytes");
  }
  JsonDocument document;
  MICRORT_SERVE_RETURN_IF_ERROR(document.Parse(reinterpret_cast<const char*>(body.data()), header));
  const Json& json = document.object();
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(json, "request", "id", &request->id));
  const Json *parameters = nullptr, *inputs = nullptr, *outputs = nullptr;
  MICRORT_SERVE_RETURN_IF_ERROR(FindParameters(json, "request", &parameters));
  if (parameters != nullptr) MICRORT_SERVE_RETURN_IF_ERROR(ParseParameters(*parameters, request));

  MICRORT_SERVE_RETURN_IF_ERROR(FindList(json, "inputs", &inputs));
  if (inputs == nullptr) return Invalid("request: expected 'inputs', found " + JsonMembers(json));
  InputParser parser({body.data() + header, body.size() - header}, max_tensor_bytes);
  for (const Json& input : *inputs) {
    Tensor tensor;
    MICRORT_SERVE_RETURN_IF_ERROR(parser.Parse(input, &tensor));
    request->inputs.push_back(std::move(tensor));
  }
  MICRORT_SERVE_RETURN_IF_ERROR(parser.CheckEnd());

  MICRORT_SERVE_RETURN_IF_ERROR(FindList(json, "outputs", &outputs));
  if (outputs == nullptr) return {};
  for (const Json& output : *outputs) {
    RequestedOutput requested;
    MICRORT_SERVE_RETURN_IF_ERROR(ParseOutput(output, request->binary_outputs, &requested));
    request->outputs.push_back(std::move(requested));
  }
  return {};
}

Error FormatV2Response(const InferRequest& request, const InferResponse& response, V2Body* body) {
  std::string& text = body->bytes;
  text = "{\"model_name\":" + Quoted(response.model) + ",\"model_version\":" + Quoted(response.version);
  if (!response.id.empty()) text += ",\"id\":" + Quoted(response.id);
  text += ",\"outputs\":[";
  bool any_binary = false;
  for (const Tensor& output : response.outputs) {
    if (&output != response.outputs.data()) text += ',';
    text += "{\"name\":" + Quoted(output.name) + ",\"datatype\":\"" + ProtocolName(output.dtype) +
            "\",\"shape\":" + ShapeText(output.shape);
    if (WantsBytes(request, output.name)) {
      any_binary = true;
      text += ",\"parameters\":{\"binary_data_size\":" + std::to_string(output.data.size()) + "}}";
      continue;
    }
    if (output.dtype == DType::kFloat16 || output.dtype == DType::kBFloat16) {
      return Invalid("output '" + output.name + "' is " + ProtocolName(output.dtype) +
                     ", which the protocol has no JSON for: request it with binary_data");
    }
    text += ",\"data\":";
    AppendFlat(output, &text);
    text += '}';
  }
  text += "]}";
  if (!any_binary) return {};
  body->json_bytes = text.size();
  for (const Tensor& output : response.outputs) {
    if (WantsBytes(request, output.name))
      text.append(reinterpret_cast<const char*>(output.data.data()), output.data.size());
  }
  return {};
}

}  // namespace micrort::serve
