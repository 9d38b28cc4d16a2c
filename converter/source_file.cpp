#include "converter/source_file.h"

#include <filesystem>

#include "tools/io/file.h"
#include "tools/io/file_kinds.h"

namespace micrort {

Status FindSourceFile(const std::string& path, std::string* file) {
  constexpr char kSavedModelFile[] = "saved_model.pb";
  const bool is_folder = io::IsDirectory(path);
  *file = is_folder ? path + "/" + kSavedModelFile : path;
  std::error_code error;
  if (!is_folder || std::filesystem::exists(std::filesystem::u8path(*file), error)) return Status();
  const Status missing = MICRORT_ERROR(
      kIo, "expected a model file or the folder of a SavedModel, found a folder without %s", kSavedModelFile);
  const std::string name = path.substr(0, path.find_last_not_of('/') + 1);
  return io::KnownByName(name, missing).WithPrefix("%s", path.c_str());
}

}  // namespace micrort
