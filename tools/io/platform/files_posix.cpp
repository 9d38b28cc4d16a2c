#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iterator>

#include "tools/io/platform/files.h"

namespace micrort::io {
namespace {

FileKind KindOf(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kRegular;
  if (S_ISDIR(mode)) return FileKind::kFolder;
  if (S_ISCHR(mode)) return FileKind::kCharacterDevice;
  if (S_ISBLK(mode)) return FileKind::kBlockDevice;
  return S_ISFIFO(mode) ? FileKind::kPipe : FileKind::kOther;
}

// A file that is renamed is there after a crash only once its folder is on the disk. File systems that cannot
// do that are none to wait for.
void SyncFolder(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

constexpr int kSignals[] = {SIGHUP, SIGINT, SIGTERM};
bool handled[std::size(kSignals)];
void (*first_handler)();

extern "C" void CallHandler(int number) {
  micrort::io::first_handler();
  signal(number, SIG_DFL);
  raise(number);
}

}  // namespace

bool Examine(const std::string& path, FileInfo* out) {
  constexpr mode_t kPermissions = 0777;
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return false;
  *out = {KindOf(info.st_mode), info.st_mode & kPermissions, info.st_dev, info.st_ino};
  return true;
}

bool IsWritable(const std::string& path) { return access(path.c_str(), W_OK) == 0; }

bool OpenToReadPieces(const std::string& path, int* file, FileKind* kind, uint64_t* bytes) {
  *file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  struct stat info {};
  if (*file < 0) return false;
  if (fstat(*file, &info) != 0) {
    const int reason = errno;
    close(*file);
    errno = reason;
    return false;
  }
  *kind = KindOf(info.st_mode);
  *bytes = static_cast<uint64_t>(info.st_size);
  return true;
}

int64_t ReadPiece(int file, uint64_t offset, void* out, size_t bytes) {
  for (;;) {
    const ssize_t n = pread(file, out, bytes, static_cast<off_t>(offset));
    if (n >= 0 || errno != EINTR) return n;
  }
}

std::string PathOfOpened(int file, const std::string& path) {
  const std::string opened = "/proc/self/fd/" + std::to_string(file);
  return access(opened.c_str(), R_OK) == 0 ? opened : path;
}

int CreateToWrite(const std::string& path, unsigned permissions) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions);
}

bool SetPermissions(int file, unsigned permissions) { return fchmod(file, permissions) == 0; }
bool Sync(int file) { return fsync(file) == 0; }
bool Close(int file) { return close(file) == 0; }

bool Rename(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) return false;
  const std::string folder = std::filesystem::path(to).parent_path().string();
  SyncFolder(folder.empty() ? "." : folder);
  return true;
}

void RemoveQuietly(const char* path) { unlink(path); }

void WatchSignals(void (*handler)()) {
  first_handler = handler;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    struct sigaction now {};
    handled[i] = sigaction(kSignals[i], nullptr, &now) == 0 && now.sa_handler == SIG_DFL;
    if (!handled[i]) continue;
    now = {};
    now.sa_handler = CallHandler;
    sigaction(kSignals[i], &now, nullptr);
  }
}

void UnwatchSignals() {
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    if (handled[i]) signal(kSignals[i], SIG_DFL);
  }
}

}  // namespace micrort::io
