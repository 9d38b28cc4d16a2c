#include "converter/source_file.h"

#include <filesystem>

#include "tools/io/file.h"
#include "tools/io/file_kinds.h"

namespace micrort {
namespace {

// The first folder in `path`, by name, with such a file; "" where there is none.
std::string FolderInside(const std::string& path, const char* file) {
  std::string found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(std::filesystem::u8path(path), error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string folder = entry->path().u8string();
    if (std::filesystem::exists(entry->path() / file, error) && (found.empty() || folder < found))
      found = folder;
  }
  return found;
}

}  // namespace

Status FindSourceFile(const std::string& path, std::string* file) {
  constexpr char kSavedModelFile[] = "saved_model.pb";
  const bool is_folder = io::IsDirectory(path);
  *file = is_folder ? path + "/" + kSavedModelFile : path;
  std::error_code error;
  if (!is_folder || std::filesystem::exists(std::filesystem::u8path(*file), error)) return Status();
  const std::string inside = FolderInside(path, kSavedModelFile);
  if (!inside.empty())
    return MICRORT_ERROR(kIo, "%s: expected the folder that holds %s, which is %s: mnnconvert %s -o model.fb",
                         path.c_str(), kSavedModelFile, inside.c_str(), inside.c_str());
  const Status missing = MICRORT_ERROR(
      kIo, "expected a model file or the folder of a SavedModel, found a folder without %s", kSavedModelFile);
  const std::string name = path.substr(0, path.find_last_not_of('/') + 1);
  return io::KnownByName(name, missing).WithPrefix("%s", path.c_str());
}

}  // namespace micrort
