#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "tools/io/platform/files.h"
#include "tools/io/platform/utf16.h"

namespace micrort::io {
namespace {

// Windows' C library numbers reasons as POSIX does, but only where its own functions fail.
bool FailWithWindowsReason() {
  switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
      errno = ENOENT;
      break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
      errno = EACCES;
      break;
    case ERROR_DISK_FULL:
      errno = ENOSPC;
      break;
    default:
      errno = EIO;
  }
  return false;
}

FileKind KindOf(HANDLE file, const BY_HANDLE_FILE_INFORMATION& info) {
  switch (GetFileType(file)) {
    case FILE_TYPE_CHAR:
      return FileKind::kCharacterDevice;
    case FILE_TYPE_PIPE:
      return FileKind::kPipe;
    case FILE_TYPE_DISK:
      return (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind::kFolder : FileKind::kRegular;
    default:
      return FileKind::kOther;
  }
}

constexpr size_t kLargestPiece = size_t{1} << 30;

void (*first_handler)();

// Windows ends the program when this returns.
BOOL WINAPI CallHandler(DWORD) {
  first_handler();
  return FALSE;
}

}  // namespace

bool Examine(const std::string& path, FileInfo* out) {
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file = CreateFileW(Utf16(path).c_str(), 0, kShared, nullptr, OPEN_EXISTING,
                                  FILE_FLAG_BACKUP_SEMANTICS, nullptr);  // which folders need
  if (file == INVALID_HANDLE_VALUE) return FailWithWindowsReason();
  BY_HANDLE_FILE_INFORMATION info{};
  GetFileInformationByHandle(file, &info);  // fails for devices, which have no identity
  const bool is_read_only = (info.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0;
  *out = {KindOf(file, info), is_read_only ? 0444u : kForAll, info.dwVolumeSerialNumber,
          uint64_t{info.nFileIndexHigh} << 32 | info.nFileIndexLow};
  CloseHandle(file);
  return true;
}

bool IsWritable(const std::string& path) {
  constexpr int kMayWrite = 2;
  return _waccess(Utf16(path).c_str(), kMayWrite) == 0;
}

Status OpenToRead(const std::string& path, ReadFrom* out) {
  FileInfo info;
  if (!Examine(path, &info)) return MICRORT_ERROR(kIo, "cannot be opened: %s", std::strerror(errno));
  if (info.kind != FileKind::kRegular && info.kind != FileKind::kPipe) {
    return MICRORT_ERROR(kIo, "expected a regular file, found a %s",
                         info.kind == FileKind::kFolder ? "folder" : "device");
  }
  out->file = _wopen(Utf16(path).c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
  if (out->file < 0) return MICRORT_ERROR(kIo, "cannot be opened: %s", std::strerror(errno));
  out->is_pipe = info.kind == FileKind::kPipe;
  out->bytes = out->is_pipe ? 0 : static_cast<uint64_t>(_filelengthi64(out->file));
  return Status();
}

// A pipe of Windows ends as soon as nobody is at its other end.
int64_t ReadNext(const ReadFrom& from, bool, void* out, size_t bytes) {
  return _read(from.file, out, static_cast<unsigned>(std::min(bytes, kLargestPiece)));
}

bool OpenToReadPieces(const std::string& path, int* file, FileKind* kind, uint64_t* bytes) {
  FileInfo info;
  if (!Examine(path, &info)) return false;
  *kind = info.kind;
  *bytes = 0;
  *file = -1;
  if (info.kind != FileKind::kRegular) return true;
  *file = _wopen(Utf16(path).c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
  if (*file < 0) return false;
  *bytes = static_cast<uint64_t>(_filelengthi64(*file));
  return true;
}

int64_t ReadPiece(int file, uint64_t offset, void* out, size_t bytes) {
  if (_lseeki64(file, static_cast<int64_t>(offset), SEEK_SET) < 0) return -1;
  return _read(file, out, static_cast<unsigned>(std::min(bytes, kLargestPiece)));
}

std::string PathOfOpened(int, const std::string& path) { return path; }

int CreateToWrite(const std::string& path, unsigned) {
  constexpr int kFlags = _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT;
  return _wopen(Utf16(path).c_str(), kFlags, _S_IREAD | _S_IWRITE);
}

int OpenToWrite(const std::string& path) {
  return _wopen(Utf16(path).c_str(), _O_WRONLY | _O_BINARY | _O_NOINHERIT);
}

bool WriteAll(int file, Span<const uint8_t> data) {
  for (size_t at = 0; at < data.size();) {
    const int n =
        _write(file, data.data() + at, static_cast<unsigned>(std::min(data.size() - at, kLargestPiece)));
    if (n < 0) return false;
    at += static_cast<size_t>(n);
  }
  return true;
}

// A file that may not be written to is never replaced.
bool SetPermissions(int, unsigned) { return true; }
bool Sync(int file) { return _commit(file) == 0; }
bool Close(int file) { return _close(file) == 0; }

bool Rename(const std::string& from, const std::string& to) {
  constexpr DWORD kFlags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
  return MoveFileExW(Utf16(from).c_str(), Utf16(to).c_str(), kFlags) || FailWithWindowsReason();
}

// Open files stay, but they have no name from then on, and go when the program has ended.
void RemoveQuietly(const char* path) {
  wchar_t wide[PATH_MAX];
  if (MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, PATH_MAX) != 0) DeleteFileW(wide);
}

void WatchSignals(void (*handler)()) {
  first_handler = handler;
  SetConsoleCtrlHandler(CallHandler, TRUE);
}

void UnwatchSignals() { SetConsoleCtrlHandler(CallHandler, FALSE); }

}  // namespace micrort::io
