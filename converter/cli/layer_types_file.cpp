#include "converter/cli/layer_types_file.h"

#include "tools/io/layer_texts_file.h"

namespace micrort::cli {
namespace {

using quantize::LayerType;

constexpr LayerType kTypes[] = {LayerType::kFloat32,     LayerType::kFloat16,     LayerType::kInt8,
                                LayerType::kInt8Weights, LayerType::kInt4Weights, LayerType::kInt16x8};

// `text`: a value of JSON.
Status ParseType(const std::string& path, const std::string& layer, const std::string& text, LayerType* out) {
  std::string names;
  for (const LayerType type : kTypes) {
    const std::string name = quantize::LayerTypeName(type);
    if (text == "\"" + name + "\"") {
      *out = type;
      return Status();
    }
    names += (names.empty() ? "" : ", ") + name;
  }
  return MICRORT_ERROR(kInvalidArgument, "%s: layer '%s': expected one of %s, found %s", path.c_str(),
                       layer.c_str(), names.c_str(), text.c_str());
}

}  // namespace

Status ReadLayerTypes(const std::string& path, quantize::LayerTypes* types) {
  std::vector<std::pair<std::string, std::string>> layers;
  MICRORT_RETURN_IF_ERROR(io::ReadLayerTexts(path, &layers));
  for (const auto& [layer, text] : layers) {
    MICRORT_RETURN_IF_ERROR(ParseType(path, layer, text, &(*types)[layer]));
  }
  return Status();
}

}  // namespace micrort::cli
