#include "tools/io/temporary_file.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include "tools/io/platform/files.h"

namespace micrort::io {
namespace {

// What a signal removes.
char pending_path[PATH_MAX];
volatile std::sig_atomic_t is_pending = 0;

void Watch() {
  is_pending = 1;
  WatchSignals(TemporaryFile::RemovePending);
}

void Unwatch() {
  UnwatchSignals();
  is_pending = 0;
}

std::string RandomName() {
  std::random_device random;
  char name[40];
  std::snprintf(name, sizeof name, ".micrort-%08x%08x.tmp", random(), random());
  return name;
}

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::u8path(path).parent_path().u8string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Status TemporaryFile::Fail(const char* what) const {
  return MICRORT_ERROR(kIo, "%s: cannot %s: %s", target_.c_str(), what, std::strerror(errno));
}

Status TemporaryFile::Create(unsigned permissions) {
  constexpr int kAttempts = 10;
  const std::string folder = FolderOf(target_);
  for (int i = 0; i < kAttempts && file_ < 0; ++i) {
    const std::string path = folder + "/" + RandomName();
    if (path.size() >= sizeof pending_path) {
      errno = ENAMETOOLONG;
      return Fail("write");
    }
    std::memcpy(pending_path, path.c_str(), path.size() + 1);
    Watch();
    file_ = CreateToWrite(path, permissions);
    if (file_ >= 0) {
      path_ = path;
      break;
    }
    const int reason = errno;
    Unwatch();
    errno = reason;
    if (reason != EEXIST) break;
  }
  if (file_ < 0 && errno == ENOENT)
    return MICRORT_ERROR(kIo, "%s: its folder does not exist: mkdir -p %s", target_.c_str(), folder.c_str());
  return file_ < 0 ? Fail("write in its folder") : Status();
}

Status TemporaryFile::SetMode(unsigned permissions) {
  return SetPermissions(file_, permissions) ? Status() : Fail("set the permissions");
}

Status TemporaryFile::Write(Span<const uint8_t> data) {
  return WriteAll(file_, data) ? Status() : Fail("write");
}

Status TemporaryFile::Commit() {
  if (!Sync(file_)) return Fail("write");
  const int file = file_;
  file_ = -1;
  if (!Close(file)) return Fail("write");
  if (!Rename(path_, target_)) return Fail("rename the finished file");
  Unwatch();
  path_.clear();
  return Status();
}

void TemporaryFile::RemovePending() {
  if (is_pending != 0) RemoveQuietly(pending_path);
}

TemporaryFile::~TemporaryFile() {
  if (file_ >= 0) Close(file_);
  if (path_.empty()) return;
  RemoveQuietly(path_.c_str());
  Unwatch();
}

}  // namespace micrort::io
