#include "arm/neon/vec8_neon.h"
#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_f32_impl.h"

namespace micrort {
namespace {

struct Registers {
  struct Register {
    float32x4_t v;
  };
  using Vector = F32x8;
  static constexpr size_t kParts = 2;
  static constexpr bool kHasFma = false;
  static F32x8 Join(Register low, Register high) { return {low.v, high.v}; }
  template <size_t k>
  static Register Part(F32x8 v) {
    return {k == 0 ? v.low : v.high};
  }
};
using Handlers = FusedHandlers<Registers, Registers::Register, Registers::Register, Registers::Register,
                               Registers::Register, Registers::Register, Registers::Register,
                               Registers::Register, Registers::Register>;

}  // namespace

MICRORT_DEFINE_FUSED_F32(neon64, Handlers)

}  // namespace micrort
