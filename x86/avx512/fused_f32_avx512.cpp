#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_f32_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {
namespace {

struct Registers {
  using Vector = F32x16;
  using Register = F32x16;
  static constexpr size_t kParts = 1;
  static constexpr bool kHasFma = true;
  static F32x16 Join(F32x16 v) { return v; }
  template <size_t k>
  static F32x16 Part(F32x16 v) {
    return v;
  }
};
using Handlers = FusedHandlers<Registers, F32x16, F32x16, F32x16, F32x16, F32x16, F32x16, F32x16, F32x16>;

}  // namespace

MICRORT_DEFINE_FUSED_F32(avx512, Handlers)

}  // namespace micrort
