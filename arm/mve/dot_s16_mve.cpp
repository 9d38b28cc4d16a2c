// Eight products of int16 by int8 are added to a sum of one row and one column by one instruction (VMLADAVA);
// bytes become int16 as they are loaded. Lanes behind the end are loaded as zeros.

#include <arm_mve.h>

#include "kernels/layer_s16/dot_s16.h"

namespace micrort {

namespace {

constexpr size_t kLanes = 8;
// So many products fit into 32 bits.
constexpr size_t kShortSum = 63 * kLanes;

size_t ShortOf(size_t n) { return n < kShortSum ? n : kShortSum; }

int32_t ShortDot(const int16_t* x, const int8_t* w, size_t n) {
  int32_t sum = 0;
  for (; n >= kLanes; n -= kLanes, x += kLanes, w += kLanes)
    sum = vmladavaq_s16(sum, vldrhq_s16(x), vldrbq_s16(w));
  if (n == 0) return sum;
  const mve_pred16_t first = vctp16q(n);
  return vmladavaq_s16(sum, vldrhq_z_s16(x, first), vldrbq_z_s16(w, first));
}

// Two rows and two columns: such sums are in even registers, of which there are seven.
struct Sums2x2 {
  int32_t s00 = 0, s01 = 0, s10 = 0, s11 = 0;

  void Add(int16x8_t x0, int16x8_t x1, int16x8_t w0, int16x8_t w1) {
    s00 = vmladavaq_s16(s00, x0, w0);
    s10 = vmladavaq_s16(s10, x1, w0);
    s01 = vmladavaq_s16(s01, x0, w1);
    s11 = vmladavaq_s16(s11, x1, w1);
  }
};

// A function of its own, so that all that the loop needs is in registers.
[[gnu::noinline]] void ShortDots(const int16_t* x0, const int16_t* x1, const int8_t* w0, const int8_t* w1,
                                 size_t n, Sums2x2* out) {
  Sums2x2 sums;
  for (size_t vectors = n / kLanes; vectors != 0; --vectors) {
    sums.Add(vldrhq_s16(x0), vldrhq_s16(x1), vldrbq_s16(w0), vldrbq_s16(w1));
    x0 += kLanes, x1 += kLanes, w0 += kLanes, w1 += kLanes;
  }
  if (const size_t rest = n % kLanes; rest != 0) {
    const mve_pred16_t first = vctp16q(rest);
    sums.Add(vldrhq_z_s16(x0, first), vldrhq_z_s16(x1, first), vldrbq_z_s16(w0, first),
             vldrbq_z_s16(w1, first));
  }
  *out = sums;
}

inline void Add(int32_t sum, bool is_first, int64_t* acc) { *acc = is_first ? sum : *acc + sum; }

// Products of the lanes of one tap, even and odd ones, of up to eight channels.
struct TapSums {
  int32x4_t even = vdupq_n_s32(0), odd = vdupq_n_s32(0);

  void Add(int16x8_t x, int16x8_t w) {
    even = vaddq_s32(even, vmullbq_int_s16(x, w));
    odd = vaddq_s32(odd, vmulltq_int_s16(x, w));
  }
  void AddTo(int64_t* acc, size_t n) const {
    int32_t sums[kLanes];
    const int32x4x2_t in_order = {{even, odd}};
    vst2q_s32(sums, in_order);
    for (size_t j = 0; j < n; ++j) acc[j] += sums[j];
  }
};

}  // namespace

void DotS16_mve(const int16_t* x, const int8_t* w, size_t stride, size_t depth, size_t columns,
                int64_t* acc) {
  for (size_t j = 0; j < columns; ++j, w += stride) {
    for (size_t k = 0; k < depth; k += kShortSum) acc[j] += ShortDot(x + k, w + k, ShortOf(depth - k));
  }
}

void DotPairS16_mve(const DotPairS16& rows) {
  bool is_first = rows.is_first;
  for (size_t k = 0; k < rows.depth; k += kShortSum, is_first = false) {
    const int16_t *const x0 = rows.x[0] + k, *const x1 = rows.x[1] + k;
    const size_t n = ShortOf(rows.depth - k), stride = rows.stride;
    const int8_t* w = rows.w + k;
    int64_t *acc0 = rows.acc[0], *acc1 = rows.acc[1];
    for (size_t left = rows.columns; left != 0; left -= 2, w += 2 * stride, acc0 += 2, acc1 += 2) {
      // The last column of an odd number is computed twice.
      const bool has_next = left != 1;
      Sums2x2 sums;
      ShortDots(x0, x1, w, has_next ? w + stride : w, n, &sums);
      Add(sums.s00, is_first, acc0);
      Add(sums.s10, is_first, acc1);
      if (!has_next) break;
      Add(sums.s01, is_first, acc0 + 1);
      Add(sums.s11, is_first, acc1 + 1);
    }
  }
}

void TapsS16_mve(const TapS16* taps, size_t count, size_t n, int64_t* acc) {
  const TapS16* const end = taps + count;
  for (size_t j = 0; j < n; j += kLanes) {
    const mve_pred16_t first = vctp16q(n - j);
    TapSums sums;
    for (const TapS16* tap = taps; tap != end; ++tap)
      sums.Add(vldrhq_z_s16(tap->x + j, first), vldrbq_z_s16(tap->w + j, first));
    sums.AddTo(acc + j, n - j < kLanes ? n - j : kLanes);
  }
}

}  // namespace micrort
