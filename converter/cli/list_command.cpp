#include "converter/cli/list_command.h"

#include <filesystem>

#include "converter/ir/budget.h"
#include "converter/source_file.h"
#include "kernels/base/platform/mapped_file.h"

namespace micrort::cli {
namespace {

std::string ShapeText(const frontend::OfferedTensor& tensor) {
  if (!tensor.has_shape) return "of any shape";
  std::string text = "[";
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    text += i == 0 ? "" : ",";
    text += tensor.shape[i] < 0 ? "?" : std::to_string(tensor.shape[i]);
  }
  return text + "]";
}

void AddTensors(const char* role, const std::vector<frontend::OfferedTensor>& tensors, std::string* text) {
  for (const frontend::OfferedTensor& tensor : tensors) {
    const bool is_text = tensor.dtype == DType::kUnknown && tensor.has_shape && !tensor.value.empty();
    const std::string type = tensor.dtype == DType::kUnknown ? "of an unknown type" : Name(tensor.dtype);
    const std::string value = tensor.value.empty() ? "" : " = " + tensor.value;
    const std::string tensor_type = is_text ? "" : " " + type + " " + ShapeText(tensor);
    *text += std::string(role) + " '" + tensor.name + "'" + tensor_type + value + "\n";
  }
}

std::string Text(const frontend::Offer& offer) {
  const bool is_named = !offer.signature.empty();
  std::string text;
  if (is_named) text += "signature '" + offer.signature + "'";
  if (!offer.tag_set.empty()) text += ", tag set '" + offer.tag_set + "'";
  if (!text.empty()) text += ":\n";
  AddTensors(is_named ? "  input " : "input ", offer.inputs, &text);
  AddTensors(is_named ? "  output" : "output", offer.outputs, &text);
  return text;
}

}  // namespace

Status ListSource(const std::string& path, const ConvertOptions& options, std::string* text) {
  const ir::ConversionBudget budget(options.limits);
  std::string model;
  MICRORT_RETURN_IF_ERROR(FindSourceFile(path, &model));
  MappedFile file, weights;
  MICRORT_RETURN_IF_ERROR(file.Open(model.c_str()).WithPrefix("%s", model.c_str()));
  frontend::ImportOptions import;
  for (const InputShape& shape : options.input_shapes)
    import.input_shapes.emplace_back(shape.name, shape.dims);
  import.input_types = options.input_types;
  import.input_values = options.input_values;
  import.preprocess = options.preprocess;
  import.folder = std::filesystem::u8path(model).parent_path().u8string();
  if (!options.weights.empty()) {
    MICRORT_RETURN_IF_ERROR(weights.Open(options.weights.c_str()).WithPrefix("%s", options.weights.c_str()));
    import.weights = {options.weights, weights.bytes()};
  }
  std::vector<frontend::Offer> offers;
  MICRORT_RETURN_IF_ERROR(frontend::ListModel(path, file.bytes(), options.format, import, &offers));
  for (const frontend::Offer& offer : offers) *text += Text(offer);
  return Status();
}

}  // namespace micrort::cli
