#include "converter/frontend/onnx/external_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/names.h"
#include "tools/io/platform/files.h"
#include "tools/io/wrong_download.h"

namespace micrort::frontend::onnx {

namespace {

namespace fs = std::filesystem;

Status CheckLocation(const std::string& location) {
  const fs::path path = fs::u8path(location);
  if (location.empty()) return Invalid("the file has no name");
  MICRORT_RETURN_IF_ERROR(CheckText(location, "the file's name"));
  if (path.has_root_path() || std::find(path.begin(), path.end(), "..") != path.end())
    return Invalid("its path must be relative to the model's folder, without '..'");
  return Status();
}

bool IsInside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

Status Resolve(const std::string& folder, const std::string& location, fs::path* out) {
  std::error_code error;
  const fs::path base = fs::canonical(fs::u8path(folder.empty() ? "." : folder), error);
  if (error) return MICRORT_ERROR(kIo, "the model's folder: %s", error.message().c_str());
  *out = fs::canonical(base / fs::u8path(location), error);
  if (error == std::errc::no_such_file_or_directory)
    return MICRORT_ERROR(kIo, "it is missing; copy it into the model's folder: %s", error.message().c_str());
  if (error) return MICRORT_ERROR(kIo, "cannot be read: %s", error.message().c_str());
  if (IsInside(*out, base)) return Status();
  return Invalid("it is a link that leads out of the model's folder; copy the file there");
}

}  // namespace

ExternalFile::~ExternalFile() { Close(); }

void ExternalFile::Close() {
  if (file_ >= 0) io::Close(file_);
  file_ = -1;
  location_.clear();
}

Status ExternalFile::Open(const std::string& folder, const std::string& location) {
  Close();
  MICRORT_RETURN_IF_ERROR(CheckLocation(location));
  fs::path path;
  MICRORT_RETURN_IF_ERROR(Resolve(folder, location, &path));
  // A pipe is not waited for, nor is a link followed that was put there since it was resolved.
  io::FileKind kind;
  if (!io::OpenToReadPieces(path.u8string(), &file_, &kind, &size_))
    return MICRORT_ERROR(kIo, "cannot be read: %s", std::strerror(errno));
  if (kind != io::FileKind::kRegular) {
    Close();
    return MICRORT_ERROR(kIo, "expected a regular file, found a pipe, a device or a folder");
  }
  location_ = location;
  path_ = path.u8string();
  uint8_t begin[io::kDownloadLook];
  const auto look = static_cast<size_t>(std::min<uint64_t>(size_, sizeof begin));
  MICRORT_RETURN_IF_ERROR(Read(0, look, reinterpret_cast<char*>(begin)));
  return io::CheckDownload({begin, look});
}

Status ExternalFile::Read(uint64_t offset, uint64_t bytes, char* out) const {
  while (bytes > 0) {
    const int64_t n = io::ReadPiece(file_, offset, out, bytes);
    if (n <= 0)
      return MICRORT_ERROR(kIo, "cannot be read: %s", n < 0 ? std::strerror(errno) : "it ends early");
    out += n;
    offset += static_cast<uint64_t>(n);
    bytes -= static_cast<uint64_t>(n);
  }
  return Status();
}

Status ExternalFile::Map(std::shared_ptr<const MappedFile>* out) const {
  const auto file = std::make_shared<MappedFile>();
  MICRORT_RETURN_IF_ERROR(file->Open(io::PathOfOpened(file_, path_).c_str()));
  if (file->bytes().size() != size_) return MICRORT_ERROR(kIo, "it has changed while it was read");
  *out = file;
  return Status();
}

}  // namespace micrort::frontend::onnx
