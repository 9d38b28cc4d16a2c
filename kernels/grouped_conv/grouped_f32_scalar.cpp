#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/grouped_conv/grouped_f32_impl.h"

namespace micrort {
namespace {

struct SpreadScalar {
  template <int G, int k>
  static F32x8 Of(const float* x) {
    F32x8 spread;
    for (int j = 0; j < 8; ++j) spread.lane[j] = x[j / G * G + k];
    return spread;
  }
};

}  // namespace

void GroupedF32_scalar_4x8(const GemmF32Tile& tile) { GroupedF32<F32x8, SpreadScalar, 4>(tile); }

}  // namespace micrort
