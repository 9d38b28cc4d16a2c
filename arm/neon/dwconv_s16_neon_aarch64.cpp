#include <arm_neon.h>

#include "arm/neon/vec8_neon.h"
#include "kernels/dwconv/dwconv_s16.h"
#include "kernels/dwconv/dwconv_s8_impl.h"

namespace micrort {
namespace {

struct DwConvS16Neon {
  using Sums = S32x8;
  using Element = int16_t;
  static constexpr int kPixels = 7;
  static constexpr bool kSlidesFive = false;
  struct Taps {
    int16x8_t x0, x1;
  };
  using Weights = Taps;

  template <bool kPair>
  static Taps Load(const int16_t* x0, const int16_t* x1) {
    return {vld1q_s16(x0), kPair ? vld1q_s16(x1) : vdupq_n_s16(0)};
  }
  static Weights LoadWeights(const int8_t* p) {
    const int8x8x2_t rows = vld2_s8(p);
    return {vmovl_s8(rows.val[0]), vmovl_s8(rows.val[1])};
  }
  template <bool kPair>
  static Sums MulAdd(Sums sums, Taps x, Weights w) {
    sums = Add(sums, x.x0, w.x0);
    return kPair ? Add(sums, x.x1, w.x1) : sums;
  }
  static Sums Unscaled(Sums sums) { return sums; }
  template <bool kPair>
  static Sums MulAddUnscaled(Sums sums, Taps x, Weights w) {
    return MulAdd<kPair>(sums, x, w);
  }

 private:
  static Sums Add(Sums sums, int16x8_t x, int16x8_t w) {
    return {vmlal_s16(sums.low, vget_low_s16(x), vget_low_s16(w)), vmlal_high_s16(sums.high, x, w)};
  }
};

}  // namespace

void DwConvS16_neon64_7(const DwConvS16Tile& tile) { DwConvS8<DwConvS16Neon>(tile); }

}  // namespace micrort
