#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_f32_impl.h"

namespace micrort {
namespace {

struct Registers {
  using Vector = F32x8;
  using Register = float;
  static constexpr size_t kParts = 8;
  static constexpr bool kHasFma = false;
  template <typename... R>
  static F32x8 Join(R... lanes) {
    return {{lanes...}};
  }
  template <size_t k>
  static float Part(const F32x8& v) {
    return v.lane[k];
  }
};

}  // namespace

MICRORT_DEFINE_FUSED_F32(scalar, Registers, 8)

}  // namespace micrort
