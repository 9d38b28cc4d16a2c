#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "tools/io/platform/process.h"

namespace micrort::io {

void PrepareStreams() {
  // What takes a closed stream's place can be read only, so that writing still fails.
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    if (open("/dev/null", O_RDONLY) < 0) break;
  }
  signal(SIGPIPE, SIG_IGN);
}

char** Utf8Arguments(int*, char** argv) { return argv; }

double CpuMilliseconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

size_t PeakRssBytes() {
#if defined(__APPLE__)
  constexpr size_t kUnit = 1;
#else
  constexpr size_t kUnit = 1024;
#endif
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) * kUnit;
}

uint64_t PhysicalMemoryBytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  return pages <= 0 || page_bytes <= 0 ? 0 : static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes);
}

bool ErrorsAreShown() { return isatty(STDERR_FILENO) == 1; }

}  // namespace micrort::io
