#pragma once
// Bytes of a model file in memory, aligned as Model::FromBuffer() needs them.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "converter/ir/bytes.h"
#include "kernels/base/checked_math.h"

namespace micrort {

// A buffer that lies behind the flatbuffer in the file (Buffer.offset of the schema).
struct OuterBuffer {
  size_t table = 0, field = 0;  // where the flatbuffer has the buffer's table, and its field `offset`
  std::shared_ptr<const ir::Bytes> bytes;
};

// A std::vector with an aligning allocator would copy byte by byte. Reads beyond the last byte are findings
// of AddressSanitizer.
//
// A file that is too large for a flatbuffer is never in memory as a whole: here are the bytes of the
// flatbuffer alone. Its offsets of outer buffers lead to wherever these are, so that what reads a file takes
// this one, too, but for the check of the loader (LoadEmitted). FileBytes (file_bytes.h) are the file's.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(size_t size) : AlignedBytes(size, Uninitialized()) {
    if (size > 0) std::memset(data(), 0, size);
  }
  AlignedBytes(const void* bytes, size_t size) : AlignedBytes(size, Uninitialized()) {
    if (size > 0) std::memcpy(data(), bytes, size);
  }

  AlignedBytes(const AlignedBytes& other) : AlignedBytes(other.data(), other.size_) {
    SetOuter(other.outer_);
  }
  AlignedBytes(AlignedBytes&& other) noexcept
      : bytes_(std::move(other.bytes_)),
        size_(std::exchange(other.size_, 0)),
        outer_(std::exchange(other.outer_, {})) {}
  AlignedBytes& operator=(AlignedBytes other) noexcept {
    bytes_.swap(other.bytes_);
    std::swap(size_, other.size_);
    outer_.swap(other.outer_);
    return *this;
  }

  uint8_t* data() { return bytes_.get(); }
  const uint8_t* data() const { return bytes_.get(); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  uint8_t& operator[](size_t i) { return bytes_.get()[i]; }
  uint8_t operator[](size_t i) const { return bytes_.get()[i]; }
  const uint8_t* begin() const { return data(); }
  const uint8_t* end() const { return data() + size_; }

  // Cuts off what is behind `size` bytes, which are not more than there are.
  void Truncate(size_t size) { size_ = size; }

  // In the order of the buffers.
  const std::vector<OuterBuffer>& outer() const { return outer_; }
  void SetOuter(std::vector<OuterBuffer> outer) {
    outer_ = std::move(outer);
    for (const OuterBuffer& buffer : outer_) {
      const auto begin = reinterpret_cast<uintptr_t>(buffer.bytes->data());
      SetOffset(buffer, begin - reinterpret_cast<uintptr_t>(data() + buffer.table));
    }
  }
  void SetOffset(const OuterBuffer& buffer, uint64_t offset) {
    std::memcpy(data() + buffer.field, &offset, sizeof offset);
  }

  bool operator==(const AlignedBytes& other) const {
    return size_ == other.size_ && (empty() || std::memcmp(data(), other.data(), size_) == 0);
  }
  bool operator!=(const AlignedBytes& other) const { return !(*this == other); }

 private:
  struct Uninitialized {};
  struct Delete {
    void operator()(uint8_t* bytes) const { ::operator delete (bytes, std::align_val_t{kAlignment}); }
  };

  AlignedBytes(size_t size, Uninitialized)
      : bytes_(size == 0 ? nullptr
                         : static_cast<uint8_t*>(::operator new (size, std::align_val_t{kAlignment}))),
        size_(size) {}

  std::unique_ptr<uint8_t, Delete> bytes_;
  size_t size_ = 0;
  std::vector<OuterBuffer> outer_;
};

}  // namespace micrort
