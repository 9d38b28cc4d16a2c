#pragma once
// Opening what is there to be read, on POSIX systems: here it is decided what is a file, for all programs.

#include <cstdint>

#include "kernels/base/status.h"

namespace micrort {

struct OpenedFile {
  int descriptor = -1;  // does not block; whoever opened it closes it
  uint64_t bytes = 0;   // of a regular file, when it was opened
  bool is_pipe = false;
};

enum class Readable { kRegular, kRegularAndPipes };

// Waits for nobody, and opens no device: that alone may do something. kIo, which names what was found instead
// of a file. Messages are without the path.
Status OpenFile(const char* path, Readable readable, OpenedFile* out);

}  // namespace micrort
