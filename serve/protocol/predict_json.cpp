#include "serve/protocol/predict_json.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "serve/protocol/base64.h"
#include "serve/protocol/json_read.h"
#include "serve/protocol/json_tensor.h"
#include "serve/protocol/names.h"

namespace micrort::serve {
namespace {

using Json = nlohmann::json;

bool IsBytes(const Json& value) { return value.is_object() && value.size() == 1 && value.contains("b64"); }
// {"input": value, ...}
bool IsNamed(const Json& value) { return value.is_object() && !IsBytes(value); }

Error DecodeBytes(const std::string& name, const Json& value, std::vector<uint8_t>* bytes) {
  const Json& text = value["b64"];
  if (!text.is_string() || !DecodeBase64(text.get_ref<const std::string&>(), bytes))
    return Invalid("input '" + name + "': expected base64 in 'b64'");
  return {};
}

// The shape of bytes: the model's, with the one dimension that may have any size told by their number.
Error ShapeOfBytes(const TensorSpec& spec, size_t first_dim, size_t bytes, std::vector<int64_t>* shape) {
  shape->assign(spec.shape.begin() + static_cast<std::ptrdiff_t>(first_dim), spec.shape.end());
  int64_t* open = nullptr;
  size_t known = SizeOf(spec.dtype);
  for (int64_t& dim : *shape) {
    if (dim >= 0) {
      known *= static_cast<size_t>(dim);
      continue;
    }
    if (open != nullptr)
      return Invalid("input '" + spec.name + "': of bytes at most one dimension may be open");
    open = &dim;
  }
  if (open != nullptr && known != 0 && bytes % known == 0) {
    *open = static_cast<int64_t>(bytes / known);
    return {};
  }
  if (open == nullptr && bytes == known) return {};
  return Invalid("input '" + spec.name + "': " + std::to_string(bytes) + " bytes do not fill shape " +
                 ShapeText(spec.shape));
}

class PredictParser {
 public:
  PredictParser(const std::vector<TensorSpec>& specs, size_t max_tensor_bytes)
      : specs_(specs), max_tensor_bytes_(max_tensor_bytes) {}

  Error ParseColumns(const Json& inputs, std::vector<Tensor>* tensors) {
    if (!IsNamed(inputs)) {
      MICRORT_SERVE_RETURN_IF_ERROR(CheckOneInput());
      return Column(specs_[0], inputs, tensors);
    }
    for (const auto& [name, value] : inputs.items()) {
      const TensorSpec* spec = nullptr;
      MICRORT_SERVE_RETURN_IF_ERROR(Find(name, &spec));
      MICRORT_SERVE_RETURN_IF_ERROR(Column(*spec, value, tensors));
    }
    return {};
  }

  Error ParseRows(const Json& instances, std::vector<Tensor>* tensors) {
    if (!instances.is_array() || instances.empty())
      return Invalid("request: expected 'instances' to be a list of at least one");
    if (!IsNamed(instances[0])) {
      MICRORT_SERVE_RETURN_IF_ERROR(CheckOneInput());
      std::vector<const Json*> rows;
      for (const Json& row : instances) rows.push_back(&row);
      return Rows(specs_[0], rows, tensors);
    }
    for (const auto& [name, unused] : instances[0].items()) {
      const TensorSpec* spec = nullptr;
      MICRORT_SERVE_RETURN_IF_ERROR(Find(name, &spec));
      std::vector<const Json*> rows;
      for (const Json& row : instances) {
        const bool is_alike = IsNamed(row) && row.size() == instances[0].size() && row.contains(name);
        if (!is_alike) return Invalid("request: expected every instance to name the same inputs");
        rows.push_back(&row[name]);
      }
      MICRORT_SERVE_RETURN_IF_ERROR(Rows(*spec, rows, tensors));
    }
    return {};
  }

 private:
  Error CheckOneInput() const {
    if (specs_.size() == 1) return {};
    return Invalid("request: the model has " + std::to_string(specs_.size()) +
                   " inputs; expected an object that names them: " + NamesText(specs_));
  }

  Error Find(const std::string& name, const TensorSpec** found) const {
    for (const TensorSpec& spec : specs_) {
      if (spec.name != name) continue;
      *found = &spec;
      return {};
    }
    return Invalid("request: the model has no input '" + name + "'; expected " + NamesText(specs_));
  }

  Error Column(const TensorSpec& spec, const Json& value, std::vector<Tensor>* tensors) {
    Tensor tensor;
    tensor.name = spec.name;
    tensor.dtype = spec.dtype;
    MICRORT_SERVE_RETURN_IF_ERROR(Value(spec, 0, value, &tensor));
    tensors->push_back(std::move(tensor));
    return {};
  }

  // A tensor of the dimensions from `first_dim` on.
  Error Value(const TensorSpec& spec, size_t first_dim, const Json& value, Tensor* tensor) {
    if (!IsBytes(value)) {
      MICRORT_SERVE_RETURN_IF_ERROR(NestedShape(spec.name, value, &tensor->shape));
      return ParseElements(value, max_tensor_bytes_, tensor);
    }
    MICRORT_SERVE_RETURN_IF_ERROR(DecodeBytes(spec.name, value, &tensor->owned));
    tensor->data = {tensor->owned.data(), tensor->owned.size()};
    return ShapeOfBytes(spec, first_dim, tensor->owned.size(), &tensor->shape);
  }

  Error Rows(const TensorSpec& spec, const std::vector<const Json*>& rows, std::vector<Tensor>* tensors) {
    if (spec.shape.empty())
      return Invalid("input '" + spec.name + "' is a scalar and has no rows: give it by 'inputs'");
    Tensor all;
    all.name = spec.name;
    all.dtype = spec.dtype;
    for (const Json* row : rows) {
      Tensor one;
      one.name = spec.name;
      one.dtype = spec.dtype;
      MICRORT_SERVE_RETURN_IF_ERROR(Value(spec, 1, *row, &one));
      one.shape.insert(one.shape.begin(), static_cast<int64_t>(rows.size()));
      if (row == rows[0]) all.shape = one.shape;
      if (one.shape != all.shape)
        return Invalid("input '" + spec.name + "': rows of shapes " + ShapeText(all.shape) + " and " +
                       ShapeText(one.shape));
      if (all.owned.size() + one.owned.size() > max_tensor_bytes_)
        return {ErrorKind::kTooLarge, "input '" + spec.name + "' is larger than this server takes"};
      all.owned.insert(all.owned.end(), one.owned.begin(), one.owned.end());
    }
    all.data = {all.owned.data(), all.owned.size()};
    tensors->push_back(std::move(all));
    return {};
  }

  const std::vector<TensorSpec>& specs_;
  size_t max_tensor_bytes_;
};

Error FormatRows(const InferResponse& response, std::string* body) {
  const std::vector<Tensor>& outputs = response.outputs;
  for (const Tensor& output : outputs) {
    if (output.shape.empty() || outputs[0].shape.empty() || output.shape[0] != outputs[0].shape[0])
      return Invalid("output '" + output.name + "' has shape " + ShapeText(output.shape) +
                     ", which has no row for each instance: ask by 'inputs'");
  }
  *body = "{\"predictions\":[";
  const int64_t rows = outputs.empty() ? 0 : outputs[0].shape[0];
  for (int64_t row = 0; row < rows; ++row) {
    if (row != 0) *body += ',';
    if (outputs.size() == 1) {
      AppendRow(outputs[0], row, body);
      continue;
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      *body += (i == 0 ? "{" : ",") + Quoted(outputs[i].name) + ":";
      AppendRow(outputs[i], row, body);
    }
    *body += '}';
  }
  *body += "]}";
  return {};
}

}  // namespace

Error ParsePredictRequest(Span<const uint8_t> body, const std::vector<TensorSpec>& specs,
                          size_t max_tensor_bytes, InferRequest* request, PredictFormat* format) {
  JsonDocument document;
  MICRORT_SERVE_RETURN_IF_ERROR(document.Parse(reinterpret_cast<const char*>(body.data()), body.size()));
  const Json& json = document.object();
  std::string signature = "serving_default";
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(json, "request", "signature_name", &signature));
  if (signature != "serving_default" && !signature.empty())
    return Invalid("request: the model has no signature '" + signature + "'; expected serving_default");
  const bool by_rows = json.contains("instances");
  if (by_rows == json.contains("inputs"))
    return Invalid("request: expected either 'instances' or 'inputs', found " + JsonMembers(json));
  *format = by_rows ? PredictFormat::kRows : PredictFormat::kColumns;
  PredictParser parser(specs, max_tensor_bytes);
  return by_rows ? parser.ParseRows(json["instances"], &request->inputs)
                 : parser.ParseColumns(json["inputs"], &request->inputs);
}

Error FormatPredictResponse(const InferResponse& response, PredictFormat format, std::string* body) {
  if (format == PredictFormat::kRows) return FormatRows(response, body);
  const std::vector<Tensor>& outputs = response.outputs;
  *body = "{\"outputs\":";
  if (outputs.size() == 1) {
    AppendNested(outputs[0], body);
  } else {
    *body += '{';
    for (size_t i = 0; i < outputs.size(); ++i) {
      *body += (i == 0 ? "" : ",") + Quoted(outputs[i].name) + ":";
      AppendNested(outputs[i], body);
    }
    *body += '}';
  }
  *body += '}';
  return {};
}

}  // namespace micrort::serve
