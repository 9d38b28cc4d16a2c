#include "serve/repository/model_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "serve/repository/regular_file.h"

namespace micrort::serve {
namespace {

// Offsets in a model have 31 bits: what is larger is none, and is not read to find that out.
constexpr size_t kMostBytes = size_t{1} << 31;

// As far as there is anything: the file may have been cut a moment ago.
Error ReadUpTo(int file, size_t size, uint8_t* data, size_t* got) {
  for (*got = 0; *got < size;) {
    const ssize_t n = read(file, data + *got, size - *got);
    if (n == 0) return {};
    if (n < 0 && errno != EINTR)
      return {ErrorKind::kInternal, std::string("cannot be read: ") + std::strerror(errno)};
    if (n > 0) *got += static_cast<size_t>(n);
  }
  return {};
}

Error ReadOpened(int file, size_t size, ModelBytes* bytes) {
  if (size == 0) return {};
  if (size > kMostBytes) {
    return Invalid("expected a model of at most " + std::to_string(kMostBytes) + " bytes, found " +
                   std::to_string(size));
  }
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    return {ErrorKind::kInternal, "no memory for its " + std::to_string(size) + " bytes"};
  bytes->owner = std::shared_ptr<const void>(data, [size](void* memory) { munmap(memory, size); });
  auto* const first = static_cast<uint8_t*>(data);
  size_t got = 0;
  MICRORT_SERVE_RETURN_IF_ERROR(ReadUpTo(file, size, first, &got));
  bytes->bytes = {first, got};
  return {};
}

}  // namespace

Error ReadModelBytes(const std::string& path, ModelBytes* bytes) {
  int file = -1;
  size_t size = 0;
  MICRORT_SERVE_RETURN_IF_ERROR(OpenRegularFile(path, &file, &size));
  const Error error = ReadOpened(file, size, bytes);
  close(file);
  return error.ok() ? error : error.WithPrefix(path);
}

}  // namespace micrort::serve
