#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {
namespace {

struct Registers {
  using Vector = F32x8;
  using Register = F32x8;
  static constexpr size_t kParts = 1;
  static constexpr bool kHasFma = true;
  static F32x8 Join(F32x8 v) { return v; }
  template <size_t k>
  static F32x8 Part(F32x8 v) {
    return v;
  }
};
using Handlers = FusedHandlers<Registers, F32x8, F32x8, F32x8, F32x8, F32x8, F32x8, F32x8, F32x8>;

}  // namespace

MICRORT_DEFINE_FUSED_F32(avx2, Handlers)

}  // namespace micrort
