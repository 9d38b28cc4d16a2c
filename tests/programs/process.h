#pragma once
// Runs the built programs as a user does.

#include <cstdint>
#include <string>
#include <vector>

namespace micrort::test {

struct ProcessResult {
  int exit_code = -1;  // -1: killed by a signal
  std::string out, err;
};

// What a program may take before the system ends it; 0: as much as there is.
struct ProcessLimits {
  uint64_t address_space = 0;  // bytes
  unsigned cpu_seconds = 0;
  uint64_t file_bytes = 0;  // of each file; a write beyond fails, as on a full disk
};

// `program` is a name in the folder of built programs; arguments are passed as they are, without a shell.
// With `stdout_file`, an open file, its standard output goes there.
ProcessResult RunProgram(const std::string& program, const std::vector<std::string>& arguments,
                         const ProcessLimits& limits = {}, int stdout_file = -1);

// The same for a command that the system finds.
ProcessResult RunCommand(const std::vector<std::string>& command, const ProcessLimits& limits = {},
                         int stdout_file = -1);

// A new folder, removed with everything in it at the end of the object's life.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Names of the files in a folder, sorted.
std::vector<std::string> FilesIn(const std::string& folder);

// A file of this repository, and of the model data that may lie beside it.
std::string SourceFile(const std::string& relative);
std::string ModelData(const std::string& relative);
bool HasModelData();

}  // namespace micrort::test

// First line of a test that needs the real models.
#define MICRORT_NEEDS_MODEL_DATA() \
  if (!::micrort::test::HasModelData()) GTEST_SKIP() << "skipped: no model data"
