#include "tools/io/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "tools/io/platform/files.h"

namespace micrort::io {
namespace fs = std::filesystem;

namespace {

// Of a pipe, and of a file that grows.
constexpr uint64_t kMostOfAPipe = uint64_t{1} << (sizeof(void*) == 8 ? 32 : 30);

Status ReadAll(const ReadFrom& from, uint64_t most_bytes, std::vector<uint8_t>* out) {
  out->clear();
  if (from.bytes <= most_bytes) out->reserve(static_cast<size_t>(from.bytes));
  uint8_t block[1 << 16];
  while (from.bytes <= most_bytes && out->size() <= most_bytes) {
    const int64_t n = ReadNext(from, !out->empty(), block, sizeof block);
    if (n == 0) return Status();
    if (n < 0 && errno == ETIMEDOUT) return MICRORT_ERROR(kIo, "cannot read: nobody writes to this pipe");
    if (n < 0) return MICRORT_ERROR(kIo, "cannot read: %s", std::strerror(errno));
    out->insert(out->end(), block, block + n);
  }
  return MICRORT_ERROR(kUnsupported, "expected at most %llu bytes",
                       static_cast<unsigned long long>(most_bytes));
}

}  // namespace

Status ReadFile(const std::string& path, std::vector<uint8_t>* out, uint64_t most_bytes) {
  ReadFrom from{};
  Status status = OpenToRead(path, &from);
  if (status.ok()) {
    const std::unique_ptr<const ReadFrom, void (*)(const ReadFrom*)> closed(
        &from, [](const ReadFrom* open) { Close(open->file); });
    status = ReadAll(from, std::min(most_bytes, std::max(from.bytes, kMostOfAPipe)), out);
  }
  return status.WithPrefix("%s", path.c_str());
}

bool IsDirectory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(fs::u8path(path), error);
}

Status MakeDirectories(const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::u8path(path), error);
  if (error || !IsDirectory(path)) {
    const std::string reason = error ? error.message() : "a file of that name exists";
    return MICRORT_ERROR(kIo, "%s: cannot make this folder: %s", path.c_str(), reason.c_str());
  }
  return Status();
}

namespace {

template <typename Iterator>
Status List(const std::string& folder, std::vector<std::string>* out) {
  std::error_code error;
  out->clear();
  for (Iterator it(fs::u8path(folder), error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file(error)) out->push_back(it->path().generic_u8string());
  }
  if (error) return MICRORT_ERROR(kIo, "%s: cannot list: %s", folder.c_str(), error.message().c_str());
  std::sort(out->begin(), out->end());
  return Status();
}

}  // namespace

Status ListFiles(const std::string& folder, std::vector<std::string>* out) {
  return List<fs::directory_iterator>(folder, out);
}

Status ListFilesInside(const std::string& folder, std::vector<std::string>* out) {
  return List<fs::recursive_directory_iterator>(folder, out);
}

std::string Extension(const std::string& path) {
  std::string extension = fs::u8path(path).extension().u8string();
  if (!extension.empty()) extension.erase(0, 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension;
}

}  // namespace micrort::io
