#include "tests/fuzz/scratch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace micrort::fuzz {
namespace {

// Where there is no room, a harness has nothing to say.
void Require(bool is_done) {
  if (!is_done) std::abort();
}

int Redirect(std::FILE* stream, int to) {
  std::fflush(stream);
  const int kept = dup(fileno(stream));
  Require(kept >= 0 && dup2(to, fileno(stream)) >= 0);
  return kept;
}

void Restore(std::FILE* stream, int kept) {
  std::fflush(stream);
  Require(dup2(kept, fileno(stream)) >= 0);
  close(kept);
}

}  // namespace

MemoryFile::MemoryFile(const std::string& bytes) : file_(memfd_create("file", MFD_CLOEXEC)) {
  Require(write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
}

MemoryFile::~MemoryFile() { close(file_); }

MemoryFolder::MemoryFolder() {
  const char* memory = "/dev/shm";
  const auto parent =
      std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path().string();
  path_ = parent + "/micrort_fuzz_XXXXXX";
  Require(mkdtemp(path_.data()) != nullptr);
}

MemoryFolder::~MemoryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Silence::Silence() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  out_ = Redirect(stdout, nowhere);
  err_ = Redirect(stderr, nowhere);
  close(nowhere);
}

Silence::~Silence() {
  Restore(stdout, out_);
  Restore(stderr, err_);
}

}  // namespace micrort::fuzz
