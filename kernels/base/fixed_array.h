#pragma once
// An array whose size is set once and whose allocation may fail without exceptions.

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "kernels/base/memory.h"
#include "kernels/base/status.h"

namespace micrort {

template <typename T>
class FixedArray {
 public:
  FixedArray() = default;
  ~FixedArray() { Drop(); }
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
    Drop();
    if (n == 0) return Status();
    void* const memory = n > SIZE_MAX / sizeof(T) ? nullptr : TakeMemory(n * sizeof(T), alignof(T));
    if (memory == nullptr) {
      return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu elements of %zu bytes", n, sizeof(T));
    }
    data_ = static_cast<T*>(memory);
    for (size_ = 0; size_ < n; ++size_) new (data_ + size_) T();
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
  void Drop() {
    for (size_t i = 0; i < size_; ++i) data_[i].~T();
    GiveMemory(data_, alignof(T));
    data_ = nullptr;
    size_ = 0;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace micrort
