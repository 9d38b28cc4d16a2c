#include "arm/neon/vec8_neon.h"
#include "kernels/dwconv/dwconv_s8_impl.h"

namespace micrort {
namespace {

// Any product of two int8 fits into an int16; a sum of two may not.
struct Ops {
  using Sums = S32x8;
  static constexpr int kPixels = 4;
  static constexpr bool kSlidesFive = true;
  struct Taps {
    int8x8_t x0, x1;
  };
  using Weights = int8x8x2_t;

  template <bool kPair>
  static Taps Load(const int8_t* x0, const int8_t* x1) {
    const int8x8_t first = vld1_s8(x0);
    return {first, kPair ? vld1_s8(x1) : first};
  }
  static Weights LoadWeights(const int8_t* p) { return vld2_s8(p); }
  template <bool kPair>
  static Sums MulAdd(Sums sums, Taps x, Weights w) {
    const Sums first = Add(sums, vmull_s8(x.x0, w.val[0]));
    return kPair ? Add(first, vmull_s8(x.x1, w.val[1])) : first;
  }
  static Sums Unscaled(Sums sums) { return sums; }
  template <bool kPair>
  static Sums MulAddUnscaled(Sums sums, Taps x, Weights w) {
    return MulAdd<kPair>(sums, x, w);
  }

 private:
  static Sums Add(Sums sums, int16x8_t products) {
    return {vaddw_s16(sums.low, vget_low_s16(products)), vaddw_s16(sums.high, vget_high_s16(products))};
  }
};

}  // namespace

void DwConvS8_neon_8(const DwConvS8Tile& tile) { DwConvS8<Ops>(tile); }

}  // namespace micrort
