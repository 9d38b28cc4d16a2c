#include "converter/source_file.h"

#include <filesystem>

#include "tools/io/file.h"

namespace micrort {

Status FindSourceFile(const std::string& path, std::string* file) {
  constexpr char kSavedModelFile[] = "saved_model.pb";
  const bool is_folder = io::IsDirectory(path);
  *file = is_folder ? path + "/" + kSavedModelFile : path;
  std::error_code error;
  if (!is_folder || std::filesystem::exists(*file, error)) return Status();
  return MICRORT_ERROR(kIo,
                       "%s: expected a model file or the folder of a SavedModel, found a folder without %s",
                       path.c_str(), kSavedModelFile);
}

}  // namespace micrort
