#include "serve/repository/model_folder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "serve/repository/regular_file.h"

namespace micrort::serve {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxConfigBytes = size_t{1} << 20;

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.';
}

// 0 if the folder's name is no version.
int64_t VersionOf(const std::string& name) {
  int64_t version = 0;
  const auto end = std::from_chars(name.data(), name.data() + name.size(), version);
  const bool is_number = end.ec == std::errc() && end.ptr == name.data() + name.size() && name[0] != '0';
  return is_number && version > 0 ? version : 0;
}

void AddFingerprint(const std::string& path, std::string* fingerprint) {
  std::error_code ignored;
  const auto time = fs::last_write_time(path, ignored).time_since_epoch().count();
  *fingerprint +=
      path + ' ' + std::to_string(time) + ' ' + std::to_string(fs::file_size(path, ignored)) + '\n';
}

std::string FindModelFile(const fs::path& folder, const ModelConfig& config,
                          const std::vector<std::string>& sources) {
  std::error_code ignored;
  if (fs::exists(folder / config.model_file, ignored)) return (folder / config.model_file).string();
  for (const std::string& source : sources) {
    if (fs::exists(folder / source, ignored)) return (folder / source).string();
  }
  return "";
}

// "" if there is none of the usual names, and none is configured.
Error FindTokenizer(const fs::path& folder, const ModelConfig& config, std::string* path) {
  std::error_code ignored;
  if (!config.tokenizer.empty()) {
    *path = (folder / config.tokenizer).string();
    if (fs::exists(*path, ignored)) return {};
    return Invalid(*path + ": config.pbtxt names this tokenizer, which is not there");
  }
  for (const char* name : {"tokenizer.json", "tokenizer.model"}) {
    *path = (folder / name).string();
    if (fs::exists(*path, ignored)) return {};
  }
  path->clear();
  return {};
}

// Looks for a model elsewhere in the folder, and says what to do with it; "" if there is none.
std::string HowToServe(const fs::path& folder, const ModelConfig& config) {
  std::error_code failure;
  if (fs::exists(folder / config.model_file, failure))
    return "; move " + config.model_file + " into " + (folder / "1").string() + "/";
  for (fs::directory_iterator entry(folder, failure); !failure && entry != fs::directory_iterator();
       entry.increment(failure)) {
    if (VersionOf(entry->path().filename().string()) == 0) continue;
    for (const char* source : kConvertibleFiles) {
      const fs::path file = entry->path() / source;
      if (fs::exists(file, failure))
        return "; found " + file.string() + ": start the server with --convert, or type mnnconvert " +
               file.string() + " -o " + (entry->path() / config.model_file).string();
    }
  }
  return "";
}

// A label is set to a version that is served, or whoever asks for it finds nothing.
Error CheckLabels(const std::string& path, const ModelFolder& folder) {
  for (const auto& [label, version] : folder.config.labels) {
    const bool is_served = std::any_of(folder.versions.begin(), folder.versions.end(),
                                       [v = version](const VersionFile& file) { return file.version == v; });
    if (!is_served) {
      return Invalid(path + "/config.pbtxt: label '" + label + "' is set to version " +
                     std::to_string(version) +
                     ", which version_policy does not choose or the folder does not have");
    }
  }
  return {};
}

}  // namespace

bool IsModelName(const std::string& name) {
  return !name.empty() && name.size() <= 128 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), IsNameCharacter);
}

Error ListModels(const std::string& repository, std::vector<std::string>* names,
                 std::vector<std::string>* passed_over) {
  std::error_code failure;
  fs::directory_iterator entries(repository, failure);
  if (failure) return {ErrorKind::kInternal, repository + ": " + failure.message()};
  for (; entries != fs::directory_iterator(); entries.increment(failure)) {
    const std::string name = entries->path().filename().string();
    std::error_code ignored;
    // Hidden folders are other programs'.
    if (name[0] != '.' && fs::is_directory(entries->path(), ignored))
      (IsModelName(name) ? names : passed_over)->push_back(name);
    if (failure) return {ErrorKind::kInternal, repository + ": " + failure.message()};
  }
  std::sort(names->begin(), names->end());
  return {};
}

Error ReadModelFolder(const std::string& repository, const std::string& name,
                      const std::vector<std::string>& sources, ModelFolder* folder) {
  const fs::path path = fs::path(repository) / name;
  std::error_code failure;
  if (!IsModelName(name) || !fs::is_directory(path, failure))
    return {ErrorKind::kNotFound, "the repository has no model '" + name + "'"};
  const std::string config = (path / "config.pbtxt").string();
  if (fs::exists(config, failure)) {
    std::string text;
    MICRORT_SERVE_RETURN_IF_ERROR(ReadRegularFile(config, kMaxConfigBytes, &text));
    AddFingerprint(config, &folder->fingerprint);
    MICRORT_SERVE_RETURN_IF_ERROR(ParseModelConfig(config, name, text, &folder->config));
  }
  std::vector<int64_t> available;
  for (fs::directory_iterator entry(path, failure); !failure && entry != fs::directory_iterator();
       entry.increment(failure)) {
    const int64_t version = VersionOf(entry->path().filename().string());
    if (version != 0 && !FindModelFile(entry->path(), folder->config, sources).empty())
      available.push_back(version);
  }
  if (failure) return {ErrorKind::kInternal, path.string() + ": " + failure.message()};
  std::sort(available.begin(), available.end());
  for (int64_t version : folder->config.versions.Choose(available)) {
    const fs::path version_folder = path / std::to_string(version);
    VersionFile file = {version, FindModelFile(version_folder, folder->config, sources), ""};
    MICRORT_SERVE_RETURN_IF_ERROR(FindTokenizer(version_folder, folder->config, &file.tokenizer));
    AddFingerprint(file.path, &folder->fingerprint);
    if (!file.tokenizer.empty()) AddFingerprint(file.tokenizer, &folder->fingerprint);
    folder->versions.push_back(std::move(file));
  }
  if (folder->versions.empty()) {
    return Invalid(path.string() + ": expected a folder VERSION/" + folder->config.model_file +
                   " that version_policy chooses, found none" + HowToServe(path, folder->config));
  }
  return CheckLabels(path.string(), *folder);
}

}  // namespace micrort::serve
