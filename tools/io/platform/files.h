#pragma once
// Operations on files that standard C++ lacks. Paths are UTF-8 on every system. A function that fails leaves
// the reason in errno.

#include <cstdint>
#include <string>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::io {

// As POSIX numbers them. Windows knows of the owner's right to write alone, and has lists beside that, which
// a new file takes from its folder.
constexpr unsigned kForAll = 0666, kReadableByAll = 0644, kForOwner = 0600;

enum class FileKind { kRegular, kFolder, kCharacterDevice, kBlockDevice, kPipe, kOther };

struct FileInfo {
  FileKind kind;
  unsigned permissions;
  uint64_t volume, number;  // what two names of one file have in common
};

// Follows links. False if there is none, with ENOENT, or it cannot be examined.
bool Examine(const std::string& path, FileInfo* out);
bool IsWritable(const std::string& path);

// To read from the beginning to the end. A pipe has no bytes yet. kIo, without the path, for folders, devices
// and sockets.
struct ReadFrom {
  int file;  // a descriptor
  uint64_t bytes;
  bool is_pipe;
};
Status OpenToRead(const std::string& path, ReadFrom* out);
// How many bytes come next, which is 0 at the end; negative on errors. For the first bytes of a pipe, `begun`
// is false. Waits for who writes to it as long as kPatience says.
int64_t ReadNext(const ReadFrom& from, bool begun, void* out, size_t bytes);

// Milliseconds until somebody is at the other end of a pipe, and until something passes through it, before
// errors (ETIMEDOUT).
struct Patience {
  int other_end, silence;
};
constexpr Patience kPatience = {5'000, 3'600'000};

// To read pieces of; a link is not followed, and nobody is waited for. kind and bytes are of what was opened.
bool OpenToReadPieces(const std::string& path, int* file, FileKind* kind, uint64_t* bytes);
// How many bytes were read, which is 0 where the file ends; negative on errors. A file has one reader at a
// time.
int64_t ReadPiece(int file, uint64_t offset, void* out, size_t bytes);

// A path by which what was opened there is opened once more, also if `path` has become another file; where
// the system has none, `path`.
std::string PathOfOpened(int file, const std::string& path);

// Descriptors, or -1. A new file is created exclusively, under no link. Who reads from a pipe is waited for.
int CreateToWrite(const std::string& path, unsigned permissions);
int OpenToWrite(const std::string& path);
// All of `data`, however little the system takes at once.
bool WriteAll(int file, Span<const uint8_t> data);
bool SetPermissions(int file, unsigned permissions);
// Waits until the data are on the disk.
bool Sync(int file);
bool Close(int file);

// `to` may exist. It is there after a crash, too, once this has returned.
bool Rename(const std::string& from, const std::string& to);
// For handlers of signals: no memory, no errors.
void RemoveQuietly(const char* path);

// While watched, signals that end the program call `handler` first. Those that somebody handles or ignores
// stay as they are.
void WatchSignals(void (*handler)());
void UnwatchSignals();

}  // namespace micrort::io
