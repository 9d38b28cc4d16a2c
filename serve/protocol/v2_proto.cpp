#include "serve/protocol/v2_proto.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "serve/protocol/data_type.h"

namespace micrort::serve {
namespace {

using Contents = inference::InferTensorContents;
using Parameters = google::protobuf::Map<std::string, inference::InferParameter>;

// Copies numbers of the message into elements of another width; false if one does not fit.
template <typename T, typename List>
bool CopyNumbers(const List& from, std::vector<uint8_t>* to) {
  uint8_t* at = to->data();
  for (const auto value : from) {
    if constexpr (sizeof(T) < sizeof(value)) {
      if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return false;
    }
    const T element = static_cast<T>(value);
    std::memcpy(at, &element, sizeof element);
    at += sizeof element;
  }
  return true;
}

template <typename T, typename List>
Error TakeNumbers(const List& list, Tensor* tensor) {
  const size_t expected = tensor->owned.size() / sizeof(T);
  if (static_cast<size_t>(list.size()) != expected) {
    return Invalid("input '" + tensor->name + "': expected " + std::to_string(expected) + " elements of " +
                   ProtocolName(tensor->dtype) + " for shape " + ShapeText(tensor->shape) + ", found " +
                   std::to_string(list.size()));
  }
  if (CopyNumbers<T>(list, &tensor->owned)) return {};
  return Invalid("input '" + tensor->name + "': a number is no " + ProtocolName(tensor->dtype));
}

size_t CountOf(const Contents& contents) {
  const int counts[] = {contents.bool_contents_size(),   contents.int_contents_size(),
                        contents.int64_contents_size(),  contents.uint_contents_size(),
                        contents.uint64_contents_size(), contents.fp32_contents_size(),
                        contents.fp64_contents_size(),   contents.bytes_contents_size()};
  return static_cast<size_t>(*std::max_element(std::begin(counts), std::end(counts)));
}

Error TakeContents(const Contents& contents, Tensor* tensor) {
  switch (tensor->dtype) {
    case DType::kBool:
      return TakeNumbers<bool>(contents.bool_contents(), tensor);
    case DType::kInt8:
      return TakeNumbers<int8_t>(contents.int_contents(), tensor);
    case DType::kInt16:
      return TakeNumbers<int16_t>(contents.int_contents(), tensor);
    case DType::kInt32:
      return TakeNumbers<int32_t>(contents.int_contents(), tensor);
    case DType::kInt64:
      return TakeNumbers<int64_t>(contents.int64_contents(), tensor);
    case DType::kUInt8:
      return TakeNumbers<uint8_t>(contents.uint_contents(), tensor);
    case DType::kUInt16:
      return TakeNumbers<uint16_t>(contents.uint_contents(), tensor);
    case DType::kUInt32:
      return TakeNumbers<uint32_t>(contents.uint_contents(), tensor);
    case DType::kUInt64:
      return TakeNumbers<uint64_t>(contents.uint64_contents(), tensor);
    case DType::kFloat32:
      return TakeNumbers<float>(contents.fp32_contents(), tensor);
    case DType::kFloat64:
      return TakeNumbers<double>(contents.fp64_contents(), tensor);
    case DType::kFloat16:
    case DType::kBFloat16:
    case DType::kUnknown:
    case DType::kInt4:
      break;
  }
  return Invalid("input '" + tensor->name + "': the protocol has " + ProtocolName(tensor->dtype) +
                 " in raw_input_contents only");
}

Error TakeRaw(const std::string& raw, size_t bytes, Tensor* tensor) {
  if (raw.size() != bytes) {
    return Invalid("input '" + tensor->name + "': expected " + std::to_string(bytes) +
                   " raw bytes for shape " + ShapeText(tensor->shape) + ", found " +
                   std::to_string(raw.size()));
  }
  tensor->data = {reinterpret_cast<const uint8_t*>(raw.data()), raw.size()};
  return {};
}

// `raw`: null where the message has the elements as numbers.
Error ReadInput(const inference::ModelInferRequest::InferInputTensor& input, const std::string* raw,
                size_t max_tensor_bytes, Tensor* tensor) {
  tensor->name = input.name();
  tensor->dtype = FromProtocolName(input.datatype());
  if (tensor->dtype == DType::kUnknown)
    return Invalid("input '" + tensor->name + "': no model takes datatype '" + input.datatype() + "'" +
                   ProtocolNameHint(input.datatype()));
  tensor->shape.assign(input.shape().begin(), input.shape().end());
  size_t bytes = 0;
  MICRORT_SERVE_RETURN_IF_ERROR(
      TensorBytes(tensor->name, tensor->dtype, tensor->shape, max_tensor_bytes, &bytes));
  if (raw != nullptr) {
    if (input.has_contents())
      return Invalid("input '" + tensor->name + "': expected no contents beside raw_input_contents");
    return TakeRaw(*raw, bytes, tensor);
  }
  // Before memory is taken for what the shape promises.
  const size_t elements = bytes / SizeOf(tensor->dtype);
  if (CountOf(input.contents()) != elements) {
    return Invalid("input '" + tensor->name + "': expected " + std::to_string(elements) +
                   " elements for shape " + ShapeText(tensor->shape) + ", found " +
                   std::to_string(CountOf(input.contents())));
  }
  tensor->Own(bytes);
  return TakeContents(input.contents(), tensor);
}

uint64_t Number(const inference::InferParameter& parameter) {
  if (parameter.has_uint64_param()) return parameter.uint64_param();
  return static_cast<uint64_t>(std::max<int64_t>(parameter.int64_param(), 0));
}

void ReadParameters(const Parameters& parameters, InferRequest* request) {
  for (const auto& [name, value] : parameters) {
    if (name == "timeout") request->timeout_us = Number(value);
    if (name == "priority") {
      request->priority =
          static_cast<uint32_t>(std::min<uint64_t>(Number(value), std::numeric_limits<uint32_t>::max()));
    }
    if (name == "sequence_id") request->sequence = Number(value);
    if (name == "sequence_start") request->sequence_start = value.bool_param();
    if (name == "sequence_end") request->sequence_end = value.bool_param();
  }
}

}  // namespace

Error ParseV2Message(const inference::ModelInferRequest& message, size_t max_tensor_bytes,
                     InferRequest* request) {
  request->model = message.model_name();
  request->version = message.model_version();
  request->id = message.id();
  ReadParameters(message.parameters(), request);
  const bool is_raw = message.raw_input_contents_size() != 0;
  if (is_raw && message.raw_input_contents_size() != message.inputs_size()) {
    return Invalid("request: expected raw_input_contents of all " + std::to_string(message.inputs_size()) +
                   " inputs or of none, found " + std::to_string(message.raw_input_contents_size()));
  }
  for (int i = 0; i < message.inputs_size(); ++i) {
    Tensor tensor;
    const std::string* raw = is_raw ? &message.raw_input_contents(i) : nullptr;
    MICRORT_SERVE_RETURN_IF_ERROR(ReadInput(message.inputs(i), raw, max_tensor_bytes, &tensor));
    request->inputs.push_back(std::move(tensor));
  }
  for (const auto& output : message.outputs()) request->outputs.push_back({output.name(), true});
  return {};
}

void FormatV2Message(InferResponse* response, inference::ModelInferResponse* message) {
  message->set_model_name(response->model);
  message->set_model_version(response->version);
  message->set_id(response->id);
  for (const Tensor& output : response->outputs) {
    auto* tensor = message->add_outputs();
    tensor->set_name(output.name);
    tensor->set_datatype(ProtocolName(output.dtype));
    tensor->mutable_shape()->Add(output.shape.begin(), output.shape.end());
    message->add_raw_output_contents(output.data.data(), output.data.size());
  }
}

}  // namespace micrort::serve
