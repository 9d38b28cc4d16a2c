#pragma once
// A file mapped for reading.

#include <cstddef>
#include <cstdint>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort {

class MappedFile {
 public:
  MappedFile() = default;
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Once. kIo if the path is no regular file that can be read. An empty file gives no bytes.
  Status Open(const char* path);
  // Gives up the memory of the pages around this part of the file, of bytes() or sparse_bytes(). They may
  // still be read, and then come back. Nothing happens if the part does not lie in the file.
  void Release(const void* data, size_t size) const;
  Span<const uint8_t> bytes() const { return {static_cast<const uint8_t*>(data_), size_}; }
#if !defined(MICRORT_NO_HEAP)
  // The same bytes for those who read little of them, here and there: where the system can, it maps a few
  // pages around what is read, and not 2 MB.
  Span<const uint8_t> sparse_bytes() const {
    return {static_cast<const uint8_t*>(sparse_ == nullptr ? data_ : sparse_), size_};
  }
#endif

 private:
  void* data_ = nullptr;
#if !defined(MICRORT_NO_HEAP)
  void* sparse_ = nullptr;
#endif
  size_t size_ = 0;
};

}  // namespace micrort
