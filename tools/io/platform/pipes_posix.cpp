// Reads and writes files that may be pipes, which have nobody at their other end yet, or somebody who does
// nothing there.

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "kernels/base/platform/open_file.h"
#include "tools/io/platform/files.h"

namespace micrort::io {
namespace {

// Whether something happened in time; if not, the reason is in errno.
bool WaitFor(int file, short event, int milliseconds) {
  for (;;) {
    pollfd waited = {file, event, 0};
    const int ready = poll(&waited, 1, milliseconds);
    if (ready > 0) return true;
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) errno = ETIMEDOUT;
    return false;
  }
}

}  // namespace

Status OpenToRead(const std::string& path, ReadFrom* out) {
  OpenedFile opened;
  MICRORT_RETURN_IF_ERROR(OpenFile(path.c_str(), Readable::kRegularAndPipes, &opened));
  *out = {opened.descriptor, opened.bytes, opened.is_pipe};
  return Status();
}

int64_t ReadNext(const ReadFrom& from, bool begun, void* out, size_t bytes) {
  // A pipe ends when the last writer goes, and looks the same before the first one comes.
  bool has_waited = false, has_come = false;
  for (;;) {
    const ssize_t n = read(from.file, out, bytes);
    if (n > 0 || (n == 0 && (!from.is_pipe || begun || has_come))) return n;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && !(from.is_pipe && errno == EAGAIN)) return n;
    if (n < 0 && !WaitFor(from.file, POLLIN, kPatience.silence)) return n;
    if (n < 0) continue;
    if (has_waited) {
      errno = ETIMEDOUT;
      return -1;
    }
    has_come = WaitFor(from.file, POLLIN, kPatience.other_end);
    has_waited = true;
  }
}

int OpenToWrite(const std::string& path) {
  FileInfo info;
  const bool is_pipe = Examine(path, &info) && info.kind == FileKind::kPipe;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatience.other_end);
  for (;;) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file >= 0 || !is_pipe || errno != ENXIO) return file;
    if (std::chrono::steady_clock::now() > end) {
      errno = ETIMEDOUT;
      return -1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

bool WriteAll(int file, Span<const uint8_t> data) {
  constexpr size_t kLargestPiece = size_t{1} << 30;
  for (size_t at = 0; at < data.size();) {
    const ssize_t n = write(file, data.data() + at, std::min(data.size() - at, kLargestPiece));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN && WaitFor(file, POLLOUT, kPatience.silence)) continue;
    if (n < 0) return false;
    at += static_cast<size_t>(n);
  }
  return true;
}

}  // namespace micrort::io
