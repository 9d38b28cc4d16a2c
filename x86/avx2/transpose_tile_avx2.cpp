#include "kernels/copy/transpose_tile.h"
#include "x86/sse41/transpose_bytes.h"

namespace micrort {

namespace {

// As InterleaveBytes of transpose_bytes.h, for two 4x4 tiles of words, one in each half of the registers.
inline void InterleaveWords(const __m256i* in, __m256i* out) {
  for (int i = 0; i < 2; ++i) {
    out[2 * i] = _mm256_unpacklo_epi32(in[i], in[i + 2]);
    out[2 * i + 1] = _mm256_unpackhi_epi32(in[i], in[i + 2]);
  }
}

}  // namespace

void TransposeTile_b8_avx2(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  TransposeBytes(src, src_stride, dst, dst_stride);
}

void TransposeTile_b32_avx2(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  for (int half = 0; half < 2; ++half, src += 16, dst += 4 * dst_stride) {
    __m256i a[4];
    __m256i b[4];
    for (int i = 0; i < 4; ++i) {
      const auto* top = reinterpret_cast<const __m128i*>(src + i * src_stride);
      const auto* bottom = reinterpret_cast<const __m128i*>(src + (i + 4) * src_stride);
      a[i] =
          _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(top)), _mm_loadu_si128(bottom), 1);
    }
    InterleaveWords(a, b);
    InterleaveWords(b, a);
    for (int i = 0; i < 4; ++i) _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + i * dst_stride), a[i]);
  }
}

}  // namespace micrort
