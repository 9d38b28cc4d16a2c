#include <arm_neon.h>

#include "kernels/copy/transpose_tile.h"

namespace micrort {

namespace {

// Interleaving the first half of the rows with the second moves the highest bit of the row index to the end
// of the column index; as many rounds as it has bits exchange rows and columns.
inline void InterleaveBytes(const uint8x8_t* in, uint8x8_t* out) {
  for (int i = 0; i < 4; ++i) {
    const uint8x8x2_t pair = vzip_u8(in[i], in[i + 4]);
    out[2 * i] = pair.val[0];
    out[2 * i + 1] = pair.val[1];
  }
}
inline void InterleaveWords(const uint32x4_t* in, uint32x4_t* out) {
  for (int i = 0; i < 2; ++i) {
    const uint32x4x2_t pair = vzipq_u32(in[i], in[i + 2]);
    out[2 * i] = pair.val[0];
    out[2 * i + 1] = pair.val[1];
  }
}

}  // namespace

void TransposeTile_b8_neon(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  uint8x8_t a[8];
  uint8x8_t b[8];
  for (int i = 0; i < 8; ++i) a[i] = vld1_u8(src + i * src_stride);
  InterleaveBytes(a, b);
  InterleaveBytes(b, a);
  InterleaveBytes(a, b);
  for (int i = 0; i < 8; ++i) vst1_u8(dst + i * dst_stride, b[i]);
}

// Elements are loaded as bytes: nothing is said about their alignment.
void TransposeTile_b32_neon(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  uint32x4_t a[4];
  uint32x4_t b[4];
  for (int i = 0; i < 4; ++i) a[i] = vreinterpretq_u32_u8(vld1q_u8(src + i * src_stride));
  InterleaveWords(a, b);
  InterleaveWords(b, a);
  for (int i = 0; i < 4; ++i) vst1q_u8(dst + i * dst_stride, vreinterpretq_u8_u32(a[i]));
}

}  // namespace micrort
