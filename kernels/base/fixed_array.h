#pragma once
// An array whose size is set once and whose allocation may fail without exceptions.
#if !defined(MICRORT_NO_HEAP)
#include <cstddef>
#include <new>
#include <utility>

#include "kernels/base/status.h"

namespace micrort {

template <typename T>
class FixedArray {
 public:
  FixedArray() = default;
  ~FixedArray() { delete[] data_; }
  FixedArray(FixedArray&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, size_t{0})) {}
  FixedArray& operator=(FixedArray&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  FixedArray(const FixedArray&) = delete;
  FixedArray& operator=(const FixedArray&) = delete;

  // Value-initialised elements; what it held before is dropped.
  Status Allocate(size_t n) {
    delete[] data_;
    data_ = n == 0 ? nullptr : new (std::nothrow) T[n]();
    size_ = data_ == nullptr ? 0 : n;
    if (n != 0 && data_ == nullptr) {
      return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu elements of %zu bytes", n, sizeof(T));
    }
    return Status();
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace micrort

#else
#include "kernels/base/fixed_array_in_block.h"
#endif
