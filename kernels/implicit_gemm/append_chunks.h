#pragma once
// Runs of int8 elements, appended to rows of int8, uint8 or int16.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace micrort {
namespace {

// Runs are gathered in whole chunks, which may reach behind their end.
constexpr size_t kChunk = 16;

// int8 elements are copied: kernels that read them have no offset.
template <typename T>
T* Append(const int8_t* x, size_t n, int32_t offset, T* out) {
  if (std::is_same_v<T, int8_t>) {
    std::memcpy(out, x, n);
    return out + n;
  }
  for (size_t i = 0; i < n; ++i) out[i] = static_cast<T>(x[i] + offset);
  return out + n;
}

// By words, which compilers that save size would make loops of.
inline void CopyChunk(const int8_t* x, void* out) {
  static_assert(kChunk == 2 * sizeof(uint64_t));
  uint64_t words[2];
  std::memcpy(&words[0], x, sizeof words[0]);
  std::memcpy(&words[1], x + sizeof words[0], sizeof words[1]);
  auto* const bytes = static_cast<uint8_t*>(out);
  std::memcpy(bytes, &words[0], sizeof words[0]);
  std::memcpy(bytes + sizeof words[0], &words[1], sizeof words[1]);
}

// Chunks of a fixed size need no loop and no tail. What they write behind the last element is to be written
// again by what follows, or lies in the chunk behind the block.
template <typename T>
T* AppendChunks(const int8_t* x, size_t n, int32_t offset, T* out) {
  for (size_t i = 0; i < n; i += kChunk) {
    if (std::is_same_v<T, int8_t>) {
      CopyChunk(x + i, out + i);
      continue;
    }
    int8_t chunk[kChunk];
    std::memcpy(chunk, x + i, kChunk);
#if defined(__clang__)  // unrolled, it would be no loop of which vectors are made
#pragma clang loop unroll(disable)
#endif
    for (size_t j = 0; j < kChunk; ++j) out[i + j] = static_cast<T>(chunk[j] + offset);
  }
  return out + n;
}

template <typename T>
T* Fill(T value, size_t n, T* out) {
  for (size_t i = 0; i < n; ++i) out[i] = value;
  return out + n;
}

}  // namespace
}  // namespace micrort
