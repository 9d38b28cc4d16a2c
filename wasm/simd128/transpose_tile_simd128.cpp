#include "kernels/copy/transpose_tile.h"
#include "wasm/simd128/interleave.h"

namespace micrort {

namespace {

// Interleaving the first half of the rows with the second moves the highest bit of the row index to the end
// of the column index; as many rounds as it has bits exchange rows and columns.
inline void InterleaveRows(const v128_t (&in)[16], v128_t (&out)[16]) {
  for (int i = 0; i < 8; ++i) {
    out[2 * i] = InterleaveLowBytes(in[i], in[i + 8]);
    out[2 * i + 1] = InterleaveHighBytes(in[i], in[i + 8]);
  }
}
inline void InterleaveRows(const v128_t (&in)[4], v128_t (&out)[4]) {
  for (int i = 0; i < 2; ++i) {
    out[2 * i] = InterleaveLowWords(in[i], in[i + 2]);
    out[2 * i + 1] = InterleaveHighWords(in[i], in[i + 2]);
  }
}

// As many rows as there are elements in a vector, a power of two.
template <int kRows, int kRounds>
inline void Transpose(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  v128_t a[kRows], b[kRows];
  for (int i = 0; i < kRows; ++i) a[i] = wasm_v128_load(src + i * src_stride);
  for (int i = 0; i < kRounds; i += 2) {
    InterleaveRows(a, b);
    InterleaveRows(b, a);
  }
  for (int i = 0; i < kRows; ++i) wasm_v128_store(dst + i * dst_stride, a[i]);
}

}  // namespace

void TransposeTile_b8_simd128(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  Transpose<16, 4>(src, src_stride, dst, dst_stride);
}

// Four tiles of 4x4 words: at 4x4 a call costs as much as its work.
void TransposeTile_b32_simd128(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  for (int half = 0; half < 2; ++half, src += 16, dst += 4 * dst_stride) {
    Transpose<4, 2>(src, src_stride, dst, dst_stride);
    Transpose<4, 2>(src + 4 * src_stride, src_stride, dst + 16, dst_stride);
  }
}

}  // namespace micrort
