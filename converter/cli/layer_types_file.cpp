#include "converter/cli/layer_types_file.h"

#include <nlohmann/json.hpp>

#include "tools/io/file.h"

namespace micrort::cli {
namespace {

using Json = nlohmann::json;
using quantize::LayerType;

constexpr LayerType kTypes[] = {LayerType::kFloat32,     LayerType::kFloat16,     LayerType::kInt8,
                                LayerType::kInt8Weights, LayerType::kInt4Weights, LayerType::kInt16x8};

Status ParseType(const std::string& path, const std::string& layer, const Json& json, LayerType* out) {
  std::string names;
  for (const LayerType type : kTypes) {
    const std::string name = quantize::LayerTypeName(type);
    if (json == name) {
      *out = type;
      return Status();
    }
    names += (names.empty() ? "" : ", ") + name;
  }
  return MICRORT_ERROR(kInvalidArgument, "%s: layer '%s': expected one of %s, found %s", path.c_str(),
                       layer.c_str(), names.c_str(), json.dump().c_str());
}

}  // namespace

Status ReadLayerTypes(const std::string& path, quantize::LayerTypes* types) {
  std::vector<uint8_t> bytes;
  MICRORT_RETURN_IF_ERROR(io::ReadFile(path, &bytes, io::kMostText));
  const Json json = Json::parse(bytes.begin(), bytes.end(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.size() != 1 || !json.contains("layers") || !json["layers"].is_object()) {
    return MICRORT_ERROR(kInvalidArgument, "%s: expected {\"layers\": {\"NAME\": \"TYPE\", ...}}",
                         path.c_str());
  }
  for (const auto& [layer, type] : json["layers"].items()) {
    MICRORT_RETURN_IF_ERROR(ParseType(path, layer, type, &(*types)[layer]));
  }
  return Status();
}

}  // namespace micrort::cli
