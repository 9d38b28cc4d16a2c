#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "tools/io/file.h"
#include "tools/io/platform/files.h"
#include "tools/io/temporary_file.h"

namespace micrort::io {
namespace fs = std::filesystem;
namespace {

Status Fail(const std::string& path, const char* what) {
  if (errno == ETIMEDOUT)
    return MICRORT_ERROR(kIo, "%s: cannot %s: nobody reads from this pipe", path.c_str(), what);
  return MICRORT_ERROR(kIo, "%s: cannot %s: %s", path.c_str(), what, std::strerror(errno));
}

// What a path leads to in the end, which need not exist.
Status FollowLinks(const std::string& path, std::string* out) {
  constexpr int kMostLinks = 40;
  fs::path at = fs::u8path(path);
  std::error_code error;
  for (int i = 0; fs::is_symlink(at, error); ++i) {
    const fs::path next = fs::read_symlink(at, error);
    if (error || i == kMostLinks) {
      errno = error ? error.value() : ELOOP;
      return Fail(path, "follow the link");
    }
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  *out = at.u8string();
  return Status();
}

class Whole : public FileSource {
 public:
  explicit Whole(Span<const uint8_t> data) : data_(data) {}
  Span<const uint8_t> Next() override { return std::exchange(data_, {}); }

 private:
  Span<const uint8_t> data_;
};

// A pipe or a terminal, /dev/null: nothing to replace.
Status WriteInPlace(const std::string& path, FileSource* source) {
  const int file = OpenToWrite(path);
  if (file < 0) return Fail(path, "write");
  bool written = true;
  for (Span<const uint8_t> data = source->Next(); written && !data.empty(); data = source->Next())
    written = WriteAll(file, data);
  const int reason = errno;
  const bool closed = Close(file);
  if (written && closed) return Status();
  if (!written) errno = reason;
  return Fail(path, "write");
}

Status Replace(const std::string& path, const FileInfo* old, FileSource* source) {
  std::string target;
  MICRORT_RETURN_IF_ERROR(FollowLinks(path, &target));
  if (old != nullptr && !IsWritable(target)) return Fail(path, "write");
  TemporaryFile file(target);
  MICRORT_RETURN_IF_ERROR(file.Create(kForAll));
  if (old != nullptr) MICRORT_RETURN_IF_ERROR(file.SetMode(old->permissions));
  for (Span<const uint8_t> data = source->Next(); !data.empty(); data = source->Next())
    MICRORT_RETURN_IF_ERROR(file.Write(data));
  return file.Commit();
}

// What two names of one file have in common; empty for what is no file, devices above all. One that is to be
// written need not exist.
std::string IdentityOf(const std::string& path) {
  FileInfo info;
  if (path.empty()) return "";
  if (Examine(path, &info)) {
    if (info.kind != FileKind::kRegular) return "";
    return std::to_string(info.volume) + ":" + std::to_string(info.number);
  }
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(fs::u8path(path)), error).u8string();
}

const char* NameOf(FileKind kind) {
  return kind == FileKind::kFolder ? "folder" : kind == FileKind::kBlockDevice ? "block device" : "socket";
}

}  // namespace

Status WriteFileAtomically(const std::string& path, Span<const uint8_t> data) {
  Whole whole(data);
  return WriteFileAtomically(path, &whole);
}

Status WriteFileAtomically(const std::string& path, FileSource* source) {
  FileInfo info;
  if (!Examine(path, &info)) return errno == ENOENT ? Replace(path, nullptr, source) : Fail(path, "write");
  switch (info.kind) {
    case FileKind::kRegular:
      return Replace(path, &info, source);
    case FileKind::kPipe:
    case FileKind::kCharacterDevice:
      return WriteInPlace(path, source);
    default:
      return MICRORT_ERROR(kIo, "%s: expected a file name, found a %s", path.c_str(), NameOf(info.kind));
  }
}

Status WriteFileAtomically(const std::string& path, const std::string& text) {
  return WriteFileAtomically(path,
                             Span<const uint8_t>(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

Status CheckOutputFiles(const std::vector<std::string>& outputs, const std::vector<std::string>& sources) {
  std::unordered_map<std::string, std::string> read;  // by what they are
  std::unordered_set<std::string> written;
  for (const std::string& source : sources) read.emplace(IdentityOf(source), source);
  for (const std::string& output : outputs) {
    const std::string identity = IdentityOf(output);
    if (identity.empty()) continue;
    if (const auto source = read.find(identity); source != read.end()) {
      return MICRORT_ERROR(kInvalidArgument,
                           "%s: this is '%s', which is read; write the output under another name",
                           output.c_str(), source->second.c_str());
    }
    if (!written.insert(identity).second)
      return MICRORT_ERROR(kInvalidArgument, "%s: two outputs cannot be the same file", output.c_str());
  }
  return Status();
}

}  // namespace micrort::io
