#include "tools/io/standard_streams.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "tools/io/catch_all.h"
#include "tools/io/program.h"

namespace micrort::io {
namespace {

// A standard stream that the caller has closed would become the first file that is opened, and messages
// would go there. What takes its place can be read only, so that writing still fails.
void OccupyClosedStreams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    if (open("/dev/null", O_RDONLY) < 0) return;
  }
}

bool IsStdoutWritten() {
  std::cout.flush();
  const bool had_failed = std::ferror(stdout) != 0 || !std::cout;
  return std::fflush(stdout) == 0 && !had_failed;
}

}  // namespace

int RunMain(const char* program, int (*main)(int, char**), int argc, char** argv) {
  OccupyClosedStreams();
  // Writing to a pipe that nobody reads is an error like others, and not the silent end.
  signal(SIGPIPE, SIG_IGN);
  const int exit_code = CatchAll(program, main, argc, argv);
  errno = 0;
  if (IsStdoutWritten()) return exit_code;
  std::fprintf(stderr, "%s: error: stdout: cannot write%s%s\n", program, errno == 0 ? "" : ": ",
               errno == 0 ? "" : std::strerror(errno));
  return exit_code == kExitOk ? static_cast<int>(kExitUsage) : exit_code;
}

}  // namespace micrort::io
