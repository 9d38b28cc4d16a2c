#include "arm/neon/vec8_neon.h"
#include "kernels/dwconv/dwconv_s8_impl.h"

namespace micrort {
namespace {

// Any product of two int8 fits into an int16; a sum of two may not.
struct Ops {
  using Sums = S32x8;
  using Bytes = int8x8_t;
  struct Weights {
    int8x8_t w0, w1;
  };
  static Bytes Load(const int8_t* p) { return vld1_s8(p); }
  static Weights Pair(Bytes w0, Bytes w1) { return {w0, w1}; }
  static Sums Add(Sums sums, int16x8_t products) {
    return {vaddw_s16(sums.low, vget_low_s16(products)), vaddw_s16(sums.high, vget_high_s16(products))};
  }
  static Sums MulAdd(Sums sums, Bytes x0, Bytes x1, Weights w) {
    return Add(Add(sums, vmull_s8(x0, w.w0)), vmull_s8(x1, w.w1));
  }
};

}  // namespace

void DwConvS8_neon_4(const DwConvS8Tile& tile) { DwConvS8<Ops, 4>(tile); }

}  // namespace micrort
