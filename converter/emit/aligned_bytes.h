#pragma once
// Bytes of a model file in memory, aligned as Model::FromBuffer() needs them.

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "kernels/base/checked_math.h"

namespace micrort {

template <typename T>
struct FileAllocator {
  using value_type = T;
  FileAllocator() = default;
  template <typename U>
  FileAllocator(const FileAllocator<U>&) {}

  T* allocate(size_t n) {
    return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{kAlignment}));
  }
  void deallocate(T* p, size_t) { ::operator delete (p, std::align_val_t{kAlignment}); }
  bool operator==(const FileAllocator&) const { return true; }
  bool operator!=(const FileAllocator&) const { return false; }
};

using AlignedBytes = std::vector<uint8_t, FileAllocator<uint8_t>>;

}  // namespace micrort
