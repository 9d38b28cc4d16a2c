#include "kernels/grouped_conv/grouped_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {
namespace {

// Halves of a vector are four lanes.
struct SpreadAvx2 {
  template <int G, int k>
  static F32x8 Of(const float* x) {
    if constexpr (G == 8) return F32x8::Broadcast(x[k]);
    return {_mm256_permute_ps(_mm256_loadu_ps(x), k * 0x55)};
  }
};

}  // namespace

void GroupedF32_avx2_8x8(const GemmF32Tile& tile) { GroupedF32<F32x8, SpreadAvx2, 8>(tile); }

}  // namespace micrort
