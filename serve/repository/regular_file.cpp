#include "serve/repository/regular_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kernels/base/platform/open_file.h"

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

}  // namespace

Error OpenRegularFile(const std::string& path, int* file, size_t* size) {
  OpenedFile opened;
  const Status status = OpenFile(path.c_str(), Readable::kRegular, &opened);
  if (!status.ok()) return Error{ErrorKind::kInternal, status.message()}.WithPrefix(path);
  *file = opened.descriptor;
  *size = static_cast<size_t>(opened.bytes);
  return {};
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
