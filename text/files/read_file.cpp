#include "text/files/read_file.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace micrort::text {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File Open(const std::string& path) { return {std::fopen(path.c_str(), "rb"), std::fclose}; }

Status Read(const std::string& path, size_t most_bytes, std::string* out) {
  const File file = Open(path);
  struct stat info = {};
  if (file == nullptr || fstat(fileno(file.get()), &info) != 0)
    return MICRORT_ERROR(kIo, "cannot be read: %s", std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return MICRORT_ERROR(kIo, "is no regular file");
  if (static_cast<uint64_t>(info.st_size) > most_bytes)
    return MICRORT_ERROR(kUnsupported, "has %lld bytes; expected at most %zu",
                         static_cast<long long>(info.st_size), most_bytes);
  out->resize(static_cast<size_t>(info.st_size));
  if (std::fread(out->data(), 1, out->size(), file.get()) != out->size())
    return MICRORT_ERROR(kIo, "cannot be read whole");
  return Status();
}

}  // namespace

Status ReadWholeFile(const std::string& path, size_t most_bytes, std::string* out) {
  const Status read = Read(path, most_bytes, out);
  return read.ok() ? read : read.WithPrefix("%s", path.c_str());
}

bool CanOpen(const std::string& path) { return Open(path) != nullptr; }

}  // namespace micrort::text
