#include <cstring>

#include "kernels/copy/transpose_tile.h"

namespace micrort {

namespace {

template <size_t kBytes>
void TransposeTile(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  constexpr ptrdiff_t kStep = kBytes;
  for (ptrdiff_t r = 0; r < 8; ++r) {
    for (ptrdiff_t c = 0; c < 8; ++c) {
      std::memcpy(dst + r * dst_stride + c * kStep, src + c * src_stride + r * kStep, kBytes);
    }
  }
}

}  // namespace

void TransposeTile_b32_scalar(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  TransposeTile<4>(src, src_stride, dst, dst_stride);
}
void TransposeTile_b8_scalar(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride) {
  TransposeTile<1>(src, src_stride, dst, dst_stride);
}

}  // namespace micrort
