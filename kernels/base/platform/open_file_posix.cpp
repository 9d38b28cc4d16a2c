#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kernels/base/platform/open_file.h"

namespace micrort {
namespace {

Status CheckMode(mode_t mode, Readable readable) {
  if (S_ISREG(mode) || (readable == Readable::kRegularAndPipes && S_ISFIFO(mode))) return Status();
  const char* const found = S_ISDIR(mode)    ? "folder"
                            : S_ISFIFO(mode) ? "pipe"
                            : S_ISSOCK(mode) ? "socket"
                                             : "device";
  return MICRORT_ERROR(kIo, "expected a regular file, found a %s", found);
}

Status CannotOpen() {
  if (sizeof(void*) == 4 && errno == EOVERFLOW)
    return MICRORT_ERROR(kIo, "cannot be opened: it takes a program of 64 bits, as it has over 2 GiB");
  return MICRORT_ERROR(kIo, "cannot be opened: %s", std::strerror(errno));
}

// The path may have become another file since it was looked at.
Status Examine(Readable readable, OpenedFile* file) {
  struct stat info {};
  if (fstat(file->descriptor, &info) != 0) return CannotOpen();
  file->bytes = S_ISREG(info.st_mode) ? static_cast<uint64_t>(info.st_size) : 0;
  file->is_pipe = S_ISFIFO(info.st_mode);
  return CheckMode(info.st_mode, readable);
}

}  // namespace

Status OpenFile(const char* path, Readable readable, OpenedFile* out) {
  struct stat info {};
  if (stat(path, &info) != 0) return CannotOpen();
  MICRORT_RETURN_IF_ERROR(CheckMode(info.st_mode, readable));
  OpenedFile file;
  file.descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file.descriptor < 0) return CannotOpen();
  const Status status = Examine(readable, &file);
  if (!status.ok()) {
    close(file.descriptor);
    return status;
  }
  *out = file;
  return status;
}

}  // namespace micrort
