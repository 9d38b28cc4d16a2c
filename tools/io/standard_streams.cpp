#include "tools/io/standard_streams.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "tools/io/catch_all.h"
#include "tools/io/platform/process.h"
#include "tools/io/program.h"

namespace micrort::io {
namespace {

bool IsStdoutWritten() {
  std::cout.flush();
  const bool had_failed = std::ferror(stdout) != 0 || !std::cout;
  return std::fflush(stdout) == 0 && !had_failed;
}

}  // namespace

int RunMain(const char* program, int (*main)(int, char**), int argc, char** argv) {
  PrepareStreams();
  argv = Utf8Arguments(&argc, argv);
  const int exit_code = CatchAll(program, main, argc, argv);
  errno = 0;
  if (IsStdoutWritten()) return exit_code;
  std::fprintf(stderr, "%s: error: stdout: cannot write%s%s\n", program, errno == 0 ? "" : ": ",
               errno == 0 ? "" : std::strerror(errno));
  return exit_code == kExitOk ? static_cast<int>(kExitUsage) : exit_code;
}

}  // namespace micrort::io
