#include "serve/server/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <thread>

namespace micrort::serve {
namespace {

// Where the child finds the file for its output.
constexpr int kOutput = 3;

Error SystemError(const char* what) {
  return {ErrorKind::kUnavailable, std::string(what) + ": " + std::strerror(errno)};
}

// With `output` as its file kOutput, and no signal blocked.
Error Start(const std::vector<std::string>& arguments, int output, pid_t* child) {
  std::string program = "/proc/self/exe";
  std::vector<char*> argv = {program.data()};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  // Another number than kOutput itself, so that the copy outlives exec().
  const int source = fcntl(output, F_DUPFD_CLOEXEC, kOutput + 1);
  posix_spawn_file_actions_adddup2(&files, source, kOutput);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int failure =
      source < 0 ? errno : posix_spawn(child, program.c_str(), &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (source >= 0) close(source);
  errno = failure;
  return failure == 0 ? Error() : SystemError("cannot start a process");
}

Error WaitFor(pid_t child, const LoadLimit& limit, int* status) {
  auto pause = std::chrono::milliseconds(1);
  while (waitpid(child, status, WNOHANG) == 0) {
    if (const Error error = limit.Check(); !error.ok()) {
      kill(child, SIGKILL);
      waitpid(child, status, 0);
      return error;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(20));
  }
  if (WIFEXITED(*status)) return {};
  return {ErrorKind::kInternal, "the process was ended by signal " + std::to_string(WTERMSIG(*status))};
}

Error Map(int file, ModelBytes* bytes) {
  struct stat info = {};
  if (fstat(file, &info) != 0) return SystemError("cannot examine the output");
  const auto size = static_cast<size_t>(info.st_size);
  if (size == 0) return {};
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (data == MAP_FAILED) return SystemError("cannot map the output");
  bytes->owner = std::shared_ptr<const void>(data, [size](void* mapping) { munmap(mapping, size); });
  bytes->bytes = {static_cast<const uint8_t*>(data), size};
  return {};
}

}  // namespace

Error RunThisProgram(const std::vector<std::string>& arguments, const LoadLimit& limit, ChildResult* result) {
  const int output = memfd_create("micrort-output", MFD_CLOEXEC);
  if (output < 0) return SystemError("cannot make room for the output");
  pid_t child = -1;
  int status = 0;
  Error error = Start(arguments, output, &child);
  if (error.ok()) error = WaitFor(child, limit, &status);
  if (error.ok()) error = Map(output, &result->output);
  close(output);
  result->exit_code = WEXITSTATUS(status);
  return error;
}

void BecomeChild() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, "1000", 4);
  close(file);
}

bool WriteOutput(Span<const uint8_t> bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t written = write(kOutput, bytes.data() + at, bytes.size() - at);
    if (written <= 0) return false;
    at += static_cast<size_t>(written);
  }
  return true;
}

}  // namespace micrort::serve
