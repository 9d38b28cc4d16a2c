#pragma once
// Raw row-major elements of a constant: held here, or where they lie in a mapped file.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/base/platform/mapped_file.h"
#include "kernels/base/span.h"

namespace micrort::ir {

// As a std::vector<uint8_t>. Copies of mapped ones share the file; whoever may change elements gets them
// copied first, so readers take constants.
class Bytes {
 public:
  using value_type = uint8_t;
  using iterator = uint8_t*;
  using const_iterator = const uint8_t*;

  Bytes() = default;
  explicit Bytes(size_t size, uint8_t value = 0) : own_(size, value) {}
  Bytes(std::initializer_list<uint8_t> elements) : own_(elements) {}
  Bytes(std::vector<uint8_t> elements) : own_(std::move(elements)) {}
  template <typename It, typename = std::enable_if_t<!std::is_integral_v<It>>>
  Bytes(It first, It last) : own_(first, last) {}
  Bytes(Span<const uint8_t> part, std::shared_ptr<const MappedFile> file)
      : mapped_(part), file_(std::move(file)) {}

  size_t size() const { return file_ == nullptr ? own_.size() : mapped_.size(); }
  bool empty() const { return size() == 0; }
  const uint8_t* data() const { return file_ == nullptr ? own_.data() : mapped_.data(); }
  const uint8_t* begin() const { return data(); }
  const uint8_t* end() const { return data() + size(); }
  uint8_t operator[](size_t i) const { return data()[i]; }

  uint8_t* data() { return Own().data(); }
  uint8_t* begin() { return data(); }
  uint8_t* end() { return data() + size(); }
  uint8_t& operator[](size_t i) { return Own()[i]; }
  void resize(size_t size) { Own().resize(size); }
  template <typename It>
  void assign(It first, It last) {
    *this = Bytes(first, last);
  }

  bool operator==(const Bytes& o) const { return std::equal(begin(), end(), o.begin(), o.end()); }
  bool operator!=(const Bytes& o) const { return !(*this == o); }
  bool operator<(const Bytes& o) const {
    return std::lexicographical_compare(begin(), end(), o.begin(), o.end());
  }

  // Memory that the elements take is not needed for now. They may still be read.
  void Release() const { Release(0, size()); }
  void Release(size_t first, size_t count) const {
    if (file_ != nullptr) file_->Release(mapped_.data() + first, count);
  }

 private:
  std::vector<uint8_t>& Own() {
    if (file_ != nullptr) *this = Bytes(mapped_.begin(), mapped_.end());
    return own_;
  }

  std::vector<uint8_t> own_;
  Span<const uint8_t> mapped_;
  std::shared_ptr<const MappedFile> file_;  // null: own_
};

}  // namespace micrort::ir
