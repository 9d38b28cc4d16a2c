#include "kernels/copy/transpose_tile.h"
#include "x86/sse41/transpose_bytes.h"

namespace micrort {

namespace {

// As InterleaveBytes of transpose_bytes.h.
inline void InterleaveWords(const __m128i* in, __m128i* out) {
  for (int i = 0; i < 2; ++i) {
    out[2 * i] = _mm_unpacklo_epi32(in[i], in[i + 2]);
    out[2 * i + 1] = _mm_unpackhi_epi32(in[i], in[i + 2]);
  }
}

// 4x4 words.
inline void TransposeWords(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  __m128i a[4];
  __m128i b[4];
  for (int i = 0; i < 4; ++i) a[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i * src_stride));
  InterleaveWords(a, b);
  InterleaveWords(b, a);
  for (int i = 0; i < 4; ++i) _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i * dst_stride), a[i]);
}

}  // namespace

void TransposeTile_b8_sse41(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  TransposeBytes(src, src_stride, dst, dst_stride);
}

// Four tiles of 4x4 words: at 4x4 a call costs as much as its work.
void TransposeTile_b32_sse41(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  for (int half = 0; half < 2; ++half, src += 16, dst += 4 * dst_stride) {
    TransposeWords(src, src_stride, dst, dst_stride);
    TransposeWords(src + 4 * src_stride, src_stride, dst + 16, dst_stride);
  }
}

}  // namespace micrort
