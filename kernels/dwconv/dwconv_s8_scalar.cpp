#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/dwconv/dwconv_s8_impl.h"

namespace micrort {
namespace {

struct Ops {
  using Sums = S32x8;
  using Bytes = S32x8;
  struct Weights {
    S32x8 w0, w1;
  };
  static Bytes Load(const int8_t* p) { return S32x8::Load(p); }
  static Weights Pair(const Bytes& w0, const Bytes& w1) { return {w0, w1}; }
  static Sums MulAdd(const Sums& sums, const Bytes& x0, const Bytes& x1, const Weights& w) {
    return sums + x0 * w.w0 + x1 * w.w1;
  }
};

}  // namespace

void DwConvS8_scalar_2(const DwConvS8Tile& tile) { DwConvS8<Ops, 2>(tile); }

}  // namespace micrort
