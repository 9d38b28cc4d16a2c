#pragma once
// A heap block aligned to kAlignment whose allocation may fail without exceptions.

#include <cstddef>
#include <utility>

#include "kernels/base/status.h"

namespace micrort {

class AlignedMemory {
 public:
  AlignedMemory() = default;
  ~AlignedMemory();
  AlignedMemory(AlignedMemory&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, size_t{0})) {}
  AlignedMemory& operator=(AlignedMemory&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  AlignedMemory(const AlignedMemory&) = delete;
  AlignedMemory& operator=(const AlignedMemory&) = delete;

  // Not cleared. What it held before is freed. data() is null for size 0.
  Status Allocate(size_t bytes);

  Status AllocateZeroed(size_t bytes);

  void* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace micrort
