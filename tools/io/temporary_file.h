#pragma once
// A file under a name that nobody can guess, until it is whole.

#include <string>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::io {

// At most one at a time in a process: its name is what signals remove before they end the program.
class TemporaryFile {
 public:
  // `target` is what the messages name and what the file becomes.
  explicit TemporaryFile(std::string target) : target_(std::move(target)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();  // removes it unless it has become the target
  // For a program that ends without unwinding.
  static void RemovePending();

  // Creates it in the target's folder, exclusively; permissions as in tools/io/platform/files.h.
  Status Create(unsigned permissions);
  Status Write(Span<const uint8_t> data);
  // Gives it permissions that the process' umask does not narrow.
  Status SetMode(unsigned permissions);
  // Waits until the data are on the disk, and renames it to the target.
  Status Commit();

 private:
  Status Fail(const char* what) const;

  const std::string target_;
  std::string path_;  // empty while there is none
  int file_ = -1;
};

}  // namespace micrort::io
