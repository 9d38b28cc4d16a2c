#include "tools/io/layer_texts_file.h"

#include <nlohmann/json.hpp>

#include "tools/io/file.h"

namespace micrort::io {

Status ReadLayerTexts(const std::string& path, std::vector<std::pair<std::string, std::string>>* layers) {
  using Json = nlohmann::json;
  std::vector<uint8_t> bytes;
  MICRORT_RETURN_IF_ERROR(ReadFile(path, &bytes, kMostText));
  const Json json = Json::parse(bytes.begin(), bytes.end(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.size() != 1 || !json.contains("layers") || !json["layers"].is_object()) {
    return MICRORT_ERROR(kInvalidArgument, "%s: expected {\"layers\": {\"NAME\": \"TYPE\", ...}}",
                         path.c_str());
  }
  for (const auto& [layer, value] : json["layers"].items())
    layers->emplace_back(layer, value.dump(-1, ' ', false, Json::error_handler_t::replace));
  return Status();
}

}  // namespace micrort::io
