#include "kernels/copy/interleave.h"

#include <cstdint>

#include "kernels/elementwise/tiles.h"

namespace micrort {
namespace {

template <typename T>
const T* At(const void* source, size_t begin) {
  return static_cast<const T*>(source) + begin;
}

// A loop that compilers turn into shuffles of vectors.
template <typename T>
void InterleaveTwo(const T* __restrict a, const T* __restrict b, size_t count, T* __restrict dst) {
  for (size_t i = 0; i < count; ++i) {
    dst[2 * i] = a[i];
    dst[2 * i + 1] = b[i];
  }
}

template <typename T>
void InterleaveAs(Span<const void* const> sources, size_t count, void* dst, const Parallel& parallel) {
  const size_t n = sources.size();
  ForEachTile(parallel, count, [&](size_t begin, size_t end) {
    T* const out = static_cast<T*>(dst) + begin * n;
    if (n == 2) return InterleaveTwo(At<T>(sources[0], begin), At<T>(sources[1], begin), end - begin, out);
    for (size_t s = 0; s < n; ++s) {
      const T* source = At<T>(sources[s], begin);
      for (size_t i = 0; i < end - begin; ++i) out[i * n + s] = source[i];
    }
  });
}

}  // namespace

void Interleave(size_t element_bytes, Span<const void* const> sources, size_t count, void* dst,
                const Parallel& parallel) {
  switch (element_bytes) {
    case 1:
      return InterleaveAs<uint8_t>(sources, count, dst, parallel);
    case 2:
      return InterleaveAs<uint16_t>(sources, count, dst, parallel);
    case 4:
      return InterleaveAs<uint32_t>(sources, count, dst, parallel);
    default:
      return InterleaveAs<uint64_t>(sources, count, dst, parallel);
  }
}

}  // namespace micrort
