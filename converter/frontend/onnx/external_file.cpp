#include "converter/frontend/onnx/external_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/names.h"
#include "tools/io/wrong_download.h"

namespace micrort::frontend::onnx {

namespace {

namespace fs = std::filesystem;

Status CheckLocation(const std::string& location) {
  const fs::path path(location);
  if (location.empty()) return Invalid("the file has no name");
  MICRORT_RETURN_IF_ERROR(CheckText(location, "the file's name"));
  if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end())
    return Invalid("its path must be relative to the model's folder, without '..'");
  return Status();
}

bool IsInside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

Status Resolve(const std::string& folder, const std::string& location, fs::path* out) {
  std::error_code error;
  const fs::path base = fs::canonical(folder.empty() ? "." : folder, error);
  if (error) return MICRORT_ERROR(kIo, "the model's folder: %s", error.message().c_str());
  *out = fs::canonical(base / location, error);
  if (error) return MICRORT_ERROR(kIo, "cannot be read: %s", error.message().c_str());
  if (IsInside(*out, base)) return Status();
  return Invalid("it is a link that leads out of the model's folder; copy the file there");
}

}  // namespace

ExternalFile::~ExternalFile() { Close(); }

void ExternalFile::Close() {
  if (file_ >= 0) close(file_);
  file_ = -1;
  location_.clear();
}

Status ExternalFile::Open(const std::string& folder, const std::string& location) {
  Close();
  MICRORT_RETURN_IF_ERROR(CheckLocation(location));
  fs::path path;
  MICRORT_RETURN_IF_ERROR(Resolve(folder, location, &path));
  // Not to wait where the path is a pipe; not to follow a link put there since it was resolved.
  file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  struct stat info {};
  if (file_ < 0 || fstat(file_, &info) != 0)
    return MICRORT_ERROR(kIo, "cannot be read: %s", std::strerror(errno));
  if (!S_ISREG(info.st_mode)) {
    Close();
    return MICRORT_ERROR(kIo, "expected a regular file");
  }
  size_ = static_cast<uint64_t>(info.st_size);
  location_ = location;
  uint8_t begin[io::kDownloadLook];
  const auto look = static_cast<size_t>(std::min<uint64_t>(size_, sizeof begin));
  MICRORT_RETURN_IF_ERROR(Read(0, look, reinterpret_cast<char*>(begin)));
  return io::CheckDownload({begin, look});
}

Status ExternalFile::Read(uint64_t offset, uint64_t bytes, char* out) const {
  while (bytes > 0) {
    const ssize_t n = pread(file_, out, bytes, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return MICRORT_ERROR(kIo, "cannot be read: %s", n < 0 ? std::strerror(errno) : "it ends early");
    out += n;
    offset += static_cast<uint64_t>(n);
    bytes -= static_cast<uint64_t>(n);
  }
  return Status();
}

}  // namespace micrort::frontend::onnx
