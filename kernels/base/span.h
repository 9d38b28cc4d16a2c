#pragma once
// A view of contiguous elements: pointer and count. Owns nothing; the viewed memory must outlive it.

#include <cstddef>
#include <type_traits>

namespace micrort {

template <typename T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}
  // From any container with data() and size(): std::vector, std::array, FixedArray, another Span.
  template <typename C,
            typename = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C&>().data()), T*> &&
                                        !std::is_same_v<std::decay_t<C>, Span>>>
  constexpr Span(C& container) : data_(container.data()), size_(container.size()) {}

  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](size_t i) const { return data_[i]; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace micrort
