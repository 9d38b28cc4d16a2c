#include "tests/programs/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace micrort::test {
namespace fs = std::filesystem;
namespace {

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void Redirect(const std::string& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, descriptor);
  close(file);
}

void Limit(decltype(RLIMIT_AS) resource, uint64_t most) {
  const rlimit limit = {static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
  if (most != 0) setrlimit(resource, &limit);
}

}  // namespace

ProcessResult RunProgram(const std::string& program, const std::vector<std::string>& arguments,
                         const ProcessLimits& limits, int stdout_file) {
  std::vector<std::string> command = {std::string(MICRORT_PROGRAMS_FOLDER) + "/" + program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return RunCommand(command, limits, stdout_file);
}

ProcessResult RunCommand(const std::vector<std::string>& command, const ProcessLimits& limits,
                         int stdout_file) {
  const TemporaryFolder folder;
  std::vector<char*> argv;
  for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    Redirect(folder / "out", STDOUT_FILENO);
    Redirect(folder / "err", STDERR_FILENO);
    Limit(RLIMIT_AS, limits.address_space);
    Limit(RLIMIT_CPU, limits.cpu_seconds);
    std::signal(SIGXFSZ, SIG_IGN);  // the write itself fails
    Limit(RLIMIT_FSIZE, limits.file_bytes);
    if (stdout_file >= 0) dup2(stdout_file, STDOUT_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadText(folder / "out"), ReadText(folder / "err")};
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "micrort-XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string SourceFile(const std::string& relative) {
  return std::string(MICRORT_SOURCE_FOLDER) + "/" + relative;
}

std::string ModelData(const std::string& relative) {
  const char* folder = std::getenv("MICRORT_MODEL_DATA");
  return (folder != nullptr ? std::string(folder) : SourceFile("../shared")) + "/" + relative;
}

bool HasModelData() { return fs::exists(ModelData("models/onnx")); }

}  // namespace micrort::test
