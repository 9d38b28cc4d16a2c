#pragma once
// Arithmetic on sizes that come from a file: each function returns false instead of overflowing.

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace micrort {

template <typename T>
[[nodiscard]] inline bool CheckedMul(T a, T b, T* out) {
  return !__builtin_mul_overflow(a, b, out);
}

template <typename T>
[[nodiscard]] inline bool CheckedAdd(T a, T b, T* out) {
  return !__builtin_add_overflow(a, b, out);
}

// Alignment must be a power of two. For sizes that are known not to be near SIZE_MAX.
constexpr size_t AlignUp(size_t n, size_t alignment) { return (n + alignment - 1) & ~(alignment - 1); }

template <typename T>
constexpr T CeilDiv(T a, T b) {
  return (a + b - 1) / b;
}

constexpr size_t kAlignment = 64;  // of buffers in the file, of the arena and of every tensor in it

// More than an address space has.
constexpr size_t kTooManyBytes = SIZE_MAX;

// The product of counts and the bytes of one, rounded up to kAlignment, or kTooManyBytes: for scratch, which
// on machines of 32 bits may be larger than all tensors.
inline size_t BytesOf(std::initializer_list<size_t> factors) {
  size_t bytes = 1;
  for (const size_t factor : factors) {
    if (!CheckedMul(bytes, factor, &bytes)) return kTooManyBytes;
  }
  return bytes <= static_cast<size_t>(PTRDIFF_MAX) - kAlignment ? AlignUp(bytes, kAlignment) : kTooManyBytes;
}

}  // namespace micrort
