#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/dwconv/dwconv_s8.h"
#include "kernels/dwconv/dwconv_s8_impl.h"

namespace micrort {
namespace {

struct Ops {
  using Sums = S32x8;
  using Element = int8_t;
  struct Taps {
    S32x8 x0, x1;
  };
  struct Weights {
    S32x8 w0, w1;
  };
  template <bool kPair>
  static Taps Load(const int8_t* x0, const int8_t* x1) {
    return {S32x8::Load(x0), S32x8::Load(x1)};
  }
  static Weights LoadWeights(const int8_t* p) {
    int8_t w[2][8];
    for (int i = 0; i < 16; ++i) w[i % 2][i / 2] = p[i];
    return {S32x8::Load(w[0]), S32x8::Load(w[1])};
  }
  template <bool kPair>
  static Sums MulAdd(const Sums& sums, const Taps& x, const Weights& w) {
    const Sums first = sums + x.x0 * w.w0;
    return kPair ? first + x.x1 * w.w1 : first;
  }
  static Sums Unscaled(const Sums& sums) { return sums; }
  template <bool kPair>
  static Sums MulAddUnscaled(const Sums& sums, const Taps& x, const Weights& w) {
    return MulAdd<kPair>(sums, x, w);
  }
};

}  // namespace

// A kernel for each filter would only make it larger.
void DwConvS8_scalar_2(const DwConvS8Tile& tile) {
  using Any = DwConvS8Any<Ops, 2>;
  DwConvS8Pixels<Ops, Any, Any>(tile);
}

}  // namespace micrort
