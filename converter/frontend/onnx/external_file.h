#pragma once
// A file that a model names, opened for reading pieces of it.

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/base/platform/mapped_file.h"
#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

class ExternalFile {
 public:
  ExternalFile() = default;
  ~ExternalFile();
  ExternalFile(const ExternalFile&) = delete;
  ExternalFile& operator=(const ExternalFile&) = delete;

  // `location` is from a model, that is from anywhere: kInvalidModel unless it is a relative path without
  // "..", and what it names lies in `folder` after all symbolic links are followed. kIo if it is no regular
  // file that can be read. May be called again, with another location.
  Status Open(const std::string& folder, const std::string& location);

  const std::string& location() const { return location_; }
  // Without links: two locations may be one file.
  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }
  // kIo if fewer bytes are there.
  Status Read(uint64_t offset, uint64_t bytes, char* out) const;
  // The whole file, of size() bytes. kIo if it cannot be mapped, or has changed since it was opened.
  Status Map(std::shared_ptr<const MappedFile>* out) const;

 private:
  void Close();

  std::string location_, path_;
  int file_ = -1;
  uint64_t size_ = 0;
};

}  // namespace micrort::frontend::onnx
