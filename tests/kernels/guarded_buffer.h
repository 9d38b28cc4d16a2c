#pragma once
// Memory for a kernel under test, with known bytes before and after it: a kernel that writes outside its
// tensor is caught even without a sanitizer.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/support/bytes.h"

namespace micrort::testing {

template <typename T>
class GuardedBuffer {
 public:
  // `offset`: elements by which data() is off its natural alignment.
  explicit GuardedBuffer(size_t size, T value = T{}, size_t offset = 0)
      : size_(size), begin_(kGuard + offset), storage_(kGuard * 2 + offset + size, value) {
    Fill(0, begin_);
    Fill(begin_ + size_, storage_.size());
  }

  T* data() { return storage_.data() + begin_; }
  const T* data() const { return storage_.data() + begin_; }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }

  bool GuardsIntact() const { return IsPattern(0, begin_) && IsPattern(begin_ + size_, storage_.size()); }

 private:
  static constexpr size_t kGuard = 64;
  static constexpr uint8_t kPattern = 0xa5;

  void Fill(size_t first, size_t last) {
    std::memset(reinterpret_cast<uint8_t*>(storage_.data()) + first * sizeof(T), kPattern,
                (last - first) * sizeof(T));
  }

  bool IsPattern(size_t first, size_t last) const {
    return EachIs(storage_.data() + first, (last - first) * sizeof(T), kPattern);
  }

  size_t size_;
  size_t begin_;
  std::vector<T> storage_;
};

}  // namespace micrort::testing
