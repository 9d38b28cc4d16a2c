#include "tools/io/stated_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "schema/micrort_generated.h"
#include "tools/io/load.h"

namespace micrort::io {
namespace {

constexpr size_t kMaxText = 256 << 10;  // bytes
constexpr size_t kMaxValues = 4096;     // of mean and scale: one, or one a channel
// In the order of the enumerations.
constexpr const char* kColors[] = {"rgb", "bgr", "gray"};
constexpr const char* kFits[] = {"stretch", "letterbox", "crop"};

Status Broken(const char* key, const char* expected) {
  return MICRORT_ERROR(kInvalidModel, "metadata '%s': '%s': expected %s", kPicturesKey, key, expected);
}

Status ReadNumbers(const nlohmann::json& stated, const char* key, bool may_be_zero, std::vector<float>* out) {
  if (!stated.contains(key)) return Status();
  const nlohmann::json& numbers = stated[key];
  const auto is_usable = [may_be_zero](const nlohmann::json& number) {
    if (!number.is_number()) return false;
    const auto value = number.get<float>();
    return std::isfinite(value) && (may_be_zero || value != 0);
  };
  if (!numbers.is_array() || numbers.empty() || numbers.size() > kMaxValues ||
      !std::all_of(numbers.begin(), numbers.end(), is_usable))
    return Broken(key, may_be_zero ? "a list of finite numbers" : "a list of finite numbers other than 0");
  *out = numbers.get<std::vector<float>>();
  return Status();
}

template <typename Enum, size_t count>
Status ReadName(const nlohmann::json& stated, const char* key, const char* const (&names)[count],
                const char* expected, Enum* out) {
  if (!stated.contains(key)) return Status();
  for (size_t i = 0; i < count; ++i) {
    if (stated[key] != names[i]) continue;
    *out = static_cast<Enum>(i);
    return Status();
  }
  return Broken(key, expected);
}

std::string Numbers(const std::vector<float>& values) {
  std::string text;
  for (const float value : values) {
    char number[32];
    std::snprintf(number, sizeof number, "%g", static_cast<double>(value));
    text += (text.empty() ? "" : ",") + std::string(number);
  }
  return text;
}

}  // namespace

std::string PicturesJson(const Preprocess& preprocess) {
  return nlohmann::json({{"mean", preprocess.mean},
                         {"scale", preprocess.scale},
                         {"color", kColors[static_cast<size_t>(preprocess.color)]},
                         {"resize", kFits[static_cast<size_t>(preprocess.fit)]}})
      .dump();
}

Status StatedPreprocess(const Model& model, Preprocess* out) {
  *out = Preprocess();
  out->quantizes = true;
  const schema::Model& root = *schema::GetModel(model.file().data());
  if (root.metadata() == nullptr) return Status();
  for (const schema::Metadata* entry : *root.metadata()) {
    if (entry->key() == nullptr || entry->value() == nullptr || entry->key()->str() != kPicturesKey) continue;
    if (entry->value()->size() > kMaxText)
      return MICRORT_ERROR(kInvalidModel, "metadata '%s': expected at most %zu bytes, found %u", kPicturesKey,
                           kMaxText, static_cast<unsigned>(entry->value()->size()));
    const nlohmann::json stated = nlohmann::json::parse(entry->value()->str(), nullptr, false);
    if (!stated.is_object())
      return MICRORT_ERROR(kInvalidModel, "metadata '%s': expected a JSON object", kPicturesKey);
    MICRORT_RETURN_IF_ERROR(ReadNumbers(stated, "mean", true, &out->mean));
    MICRORT_RETURN_IF_ERROR(ReadNumbers(stated, "scale", false, &out->scale));
    MICRORT_RETURN_IF_ERROR(ReadName(stated, "color", kColors, "rgb, bgr or gray", &out->color));
    return ReadName(stated, "resize", kFits, "stretch, letterbox or crop", &out->fit);
  }
  return Status();
}

Status TakeStatedPreprocess(const Model& model, const std::vector<std::string>& files, Preprocess* preprocess,
                            std::string* note) {
  note->clear();
  if (std::none_of(files.begin(), files.end(), IsPicture)) return Status();
  MICRORT_RETURN_IF_ERROR(StatedPreprocess(model, preprocess));
  if (preprocess->is_default()) return Status();
  *note = "pictures are prepared as the model states: --mean " + Numbers(preprocess->mean) + " --scale " +
          Numbers(preprocess->scale) + " --color " + kColors[static_cast<size_t>(preprocess->color)] +
          " --resize " + kFits[static_cast<size_t>(preprocess->fit)];
  return Status();
}

}  // namespace micrort::io
