#include "serve/repository/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace micrort::serve {
namespace {

// At most one byte more than `max_bytes`, whatever the size of the file was a moment ago.
Error ReadAll(int file, size_t max_bytes, std::string* text) {
  text->clear();
  char block[4096];
  while (text->size() <= max_bytes) {
    const ssize_t got = read(file, block, sizeof block);
    if (got < 0) return {ErrorKind::kInternal, std::string("cannot be read: ") + std::strerror(errno)};
    if (got == 0) return {};
    text->append(block, static_cast<size_t>(got));
  }
  return Invalid("expected at most " + std::to_string(max_bytes) + " bytes");
}

Error Examine(int file, size_t* size) {
  struct stat info = {};
  if (fstat(file, &info) != 0)
    return {ErrorKind::kInternal, std::string("cannot be examined: ") + std::strerror(errno)};
  if (!S_ISREG(info.st_mode)) return Invalid("expected a regular file");
  *size = static_cast<size_t>(info.st_size);
  return {};
}

}  // namespace

Error OpenRegularFile(const std::string& path, int* file, size_t* size) {
  // Not to wait where the path is a pipe.
  *file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (*file < 0) return {ErrorKind::kInternal, path + ": cannot be read: " + std::strerror(errno)};
  const Error error = Examine(*file, size);
  if (error.ok()) return error;
  close(*file);
  return error.WithPrefix(path);
}

Error ReadRegularFile(const std::string& path, size_t max_bytes, std::string* text) {
  int file = -1;
  size_t size = 0;
  MICRORT_SERVE_RETURN_IF_ERROR(OpenRegularFile(path, &file, &size));
  const Error error = ReadAll(file, max_bytes, text);
  close(file);
  return error.ok() ? error : error.WithPrefix(path);
}

}  // namespace micrort::serve
