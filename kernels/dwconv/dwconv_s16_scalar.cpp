#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/dwconv/dwconv_s16.h"
#include "kernels/dwconv/dwconv_s8_impl.h"

namespace micrort {
namespace {

struct OpsS16 {
  using Sums = S32x8;
  using Element = int16_t;
  struct Taps {
    S32x8 x0, x1;
  };
  using Weights = Taps;

  template <bool kPair>
  static Taps Load(const int16_t* x0, const int16_t* x1) {
    return {Widened(x0), Widened(x1)};
  }
  static Weights LoadWeights(const int8_t* p) {
    int8_t w[2][8];
    for (int i = 0; i < 16; ++i) w[i % 2][i / 2] = p[i];
    return {S32x8::Load(w[0]), S32x8::Load(w[1])};
  }
  template <bool kPair>
  static Sums MulAddUnscaled(const Sums& sums, const Taps& x, const Weights& w) {
    const Sums first = sums + x.x0 * w.x0;
    return kPair ? first + x.x1 * w.x1 : first;
  }

 private:
  static S32x8 Widened(const int16_t* x) {
    int32_t wide[8];
    for (int i = 0; i < 8; ++i) wide[i] = x[i];
    return S32x8::Load(wide);
  }
};

}  // namespace

void DwConvS16_scalar_2(const DwConvS16Tile& tile) {
  using Any = DwConvS8Any<OpsS16, 2>;
  DwConvS8Pixels<OpsS16, Any, Any>(tile);
}

}  // namespace micrort
