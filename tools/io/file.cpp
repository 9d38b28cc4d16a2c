#include "tools/io/file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "tools/io/platform/files.h"

namespace micrort::io {
namespace fs = std::filesystem;

Status ReadFile(const std::string& path, std::vector<uint8_t>* out) {
  if (IsDirectory(path)) return MICRORT_ERROR(kIo, "%s: expected a file, found a folder", path.c_str());
  std::error_code error;
  const fs::file_status status = fs::status(fs::u8path(path), error);
  if (fs::is_character_file(status) || fs::is_block_file(status))
    return MICRORT_ERROR(kIo, "%s: expected a file, found a device, which may have no end", path.c_str());
  std::FILE* file = OpenToRead(path);
  if (file == nullptr) return MICRORT_ERROR(kIo, "%s: cannot read: %s", path.c_str(), std::strerror(errno));
  out->clear();
  uint8_t block[1 << 16];
  size_t n;
  while ((n = std::fread(block, 1, sizeof block, file)) > 0) out->insert(out->end(), block, block + n);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return MICRORT_ERROR(kIo, "%s: cannot read: %s", path.c_str(), std::strerror(errno));
  return Status();
}

bool IsDirectory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(fs::u8path(path), error);
}

Status MakeDirectories(const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::u8path(path), error);
  if (error || !IsDirectory(path)) {
    const std::string reason = error ? error.message() : "a file of that name exists";
    return MICRORT_ERROR(kIo, "%s: cannot make this folder: %s", path.c_str(), reason.c_str());
  }
  return Status();
}

namespace {

template <typename Iterator>
Status List(const std::string& folder, std::vector<std::string>* out) {
  std::error_code error;
  out->clear();
  for (Iterator it(fs::u8path(folder), error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file(error)) out->push_back(it->path().generic_u8string());
  }
  if (error) return MICRORT_ERROR(kIo, "%s: cannot list: %s", folder.c_str(), error.message().c_str());
  std::sort(out->begin(), out->end());
  return Status();
}

}  // namespace

Status ListFiles(const std::string& folder, std::vector<std::string>* out) {
  return List<fs::directory_iterator>(folder, out);
}

Status ListFilesInside(const std::string& folder, std::vector<std::string>* out) {
  return List<fs::recursive_directory_iterator>(folder, out);
}

std::string Extension(const std::string& path) {
  std::string extension = fs::u8path(path).extension().u8string();
  if (!extension.empty()) extension.erase(0, 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension;
}

}  // namespace micrort::io
