#include "text/files/read_file.h"

#include <filesystem>

#include "kernels/base/platform/mapped_file.h"

namespace micrort::text {
namespace {

namespace fs = std::filesystem;

Status Read(const std::string& path, size_t most_bytes, std::string* out) {
  MappedFile file;
  MICRORT_RETURN_IF_ERROR(file.Open(path.c_str()));
  const Span<const uint8_t> bytes = file.bytes();
  if (bytes.size() > most_bytes)
    return MICRORT_ERROR(kUnsupported, "has %zu bytes; expected at most %zu", bytes.size(), most_bytes);
  out->assign(bytes.begin(), bytes.end());
  return Status();
}

}  // namespace

Status ReadWholeFile(const std::string& path, size_t most_bytes, std::string* out) {
  const Status read = Read(path, most_bytes, out);
  return read.ok() ? read : read.WithPrefix("%s", path.c_str());
}

bool Exists(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::u8path(path), error);
}

}  // namespace micrort::text
