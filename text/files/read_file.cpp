#include "text/files/read_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace micrort::text {
namespace {

namespace fs = std::filesystem;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File Open(const std::string& path) { return {std::fopen(path.c_str(), "rb"), std::fclose}; }

Status Read(const std::string& path, size_t most_bytes, std::string* out) {
  std::error_code error;
  const fs::path named = fs::u8path(path);
  const fs::file_type type = fs::status(named, error).type();
  if (type != fs::file_type::regular && type != fs::file_type::not_found && !error)
    return MICRORT_ERROR(kIo, "is no regular file");
  const File file = Open(path);
  if (file == nullptr) return MICRORT_ERROR(kIo, "cannot be read: %s", std::strerror(errno));
  const uintmax_t size = fs::file_size(named, error);
  if (error) return MICRORT_ERROR(kIo, "cannot be read: %s", error.message().c_str());
  if (size > most_bytes)
    return MICRORT_ERROR(kUnsupported, "has %llu bytes; expected at most %zu",
                         static_cast<unsigned long long>(size), most_bytes);
  out->resize(static_cast<size_t>(size));
  if (std::fread(out->data(), 1, out->size(), file.get()) != out->size())
    return MICRORT_ERROR(kIo, "cannot be read whole");
  return Status();
}

}  // namespace

Status ReadWholeFile(const std::string& path, size_t most_bytes, std::string* out) {
  const Status read = Read(path, most_bytes, out);
  return read.ok() ? read : read.WithPrefix("%s", path.c_str());
}

bool Exists(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::u8path(path), error);
}

}  // namespace micrort::text
