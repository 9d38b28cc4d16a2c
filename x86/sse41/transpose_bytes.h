#pragma once
// Transposes 16x16 bytes; for SSE4.1 and what builds on it. The contract is that of TransposeTileFn.

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace micrort {
namespace {

// Interleaving the first half of the rows with the second moves the highest bit of the row index to the end
// of the column index; as many rounds as it has bits exchange rows and columns.
inline void InterleaveBytes(const __m128i* in, __m128i* out) {
  for (int i = 0; i < 8; ++i) {
    out[2 * i] = _mm_unpacklo_epi8(in[i], in[i + 8]);
    out[2 * i + 1] = _mm_unpackhi_epi8(in[i], in[i + 8]);
  }
}

inline void TransposeBytes(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  __m128i a[16];
  __m128i b[16];
  for (int i = 0; i < 16; ++i) a[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i * src_stride));
  InterleaveBytes(a, b);
  InterleaveBytes(b, a);
  InterleaveBytes(a, b);
  InterleaveBytes(b, a);
  for (int i = 0; i < 16; ++i) _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i * dst_stride), a[i]);
}

}  // namespace
}  // namespace micrort
