#include "tools/io/temporary_file.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>

namespace micrort::io {
namespace {

constexpr int kSignals[] = {SIGHUP, SIGINT, SIGTERM};

// What the handler removes.
char pending_path[PATH_MAX];
volatile sig_atomic_t is_pending = 0;
bool handled[std::size(kSignals)];

extern "C" void RemovePendingFile(int number) {
  micrort::io::TemporaryFile::RemovePending();
  signal(number, SIG_DFL);
  raise(number);
}

// Signals that somebody handles or ignores stay as they are.
void WatchSignals() {
  is_pending = 1;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    struct sigaction now {};
    handled[i] = sigaction(kSignals[i], nullptr, &now) == 0 && now.sa_handler == SIG_DFL;
    if (!handled[i]) continue;
    now = {};
    now.sa_handler = RemovePendingFile;
    sigaction(kSignals[i], &now, nullptr);
  }
}

void UnwatchSignals() {
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    if (handled[i]) signal(kSignals[i], SIG_DFL);
  }
  is_pending = 0;
}

std::string RandomName() {
  std::random_device random;
  char name[40];
  std::snprintf(name, sizeof name, ".micrort-%08x%08x.tmp", random(), random());
  return name;
}

// A file that is renamed is there after a crash only once its folder is on the disk. File systems that cannot
// do that are none to wait for.
void SyncFolder(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

bool WriteAll(int file, Span<const uint8_t> data) {
  constexpr size_t kLargestPiece = size_t{1} << 30;
  for (size_t at = 0; at < data.size();) {
    const ssize_t n = write(file, data.data() + at, std::min(data.size() - at, kLargestPiece));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    at += static_cast<size_t>(n);
  }
  return true;
}

Status TemporaryFile::Fail(const char* what) const {
  return MICRORT_ERROR(kIo, "%s: cannot %s: %s", target_.c_str(), what, std::strerror(errno));
}

Status TemporaryFile::Create(mode_t mode) {
  constexpr int kAttempts = 10;
  const std::string folder = FolderOf(target_);
  for (int i = 0; i < kAttempts && file_ < 0; ++i) {
    const std::string path = folder + "/" + RandomName();
    if (path.size() >= sizeof pending_path) {
      errno = ENAMETOOLONG;
      return Fail("write");
    }
    std::memcpy(pending_path, path.c_str(), path.size() + 1);
    WatchSignals();
    file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (file_ >= 0) {
      path_ = path;
      break;
    }
    const int reason = errno;
    UnwatchSignals();
    errno = reason;
    if (reason != EEXIST) break;
  }
  return file_ < 0 ? Fail("write beside it") : Status();
}

Status TemporaryFile::SetMode(mode_t mode) {
  return fchmod(file_, mode) == 0 ? Status() : Fail("set the permissions");
}

Status TemporaryFile::Write(Span<const uint8_t> data) {
  return WriteAll(file_, data) ? Status() : Fail("write");
}

Status TemporaryFile::Commit() {
  if (fsync(file_) != 0) return Fail("write");
  const int file = file_;
  file_ = -1;
  if (close(file) != 0) return Fail("write");
  if (rename(path_.c_str(), target_.c_str()) != 0) return Fail("rename the finished file");
  UnwatchSignals();
  path_.clear();
  SyncFolder(FolderOf(target_));
  return Status();
}

void TemporaryFile::RemovePending() {
  if (is_pending != 0) unlink(pending_path);
}

TemporaryFile::~TemporaryFile() {
  if (file_ >= 0) close(file_);
  if (path_.empty()) return;
  unlink(path_.c_str());
  UnwatchSignals();
}

}  // namespace micrort::io
