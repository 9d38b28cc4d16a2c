#include "kernels/gemm/gemm_f32.h"

#include <cstdint>

#include "kernels/base/checked_math.h"
#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr GemmF32Kernel kAllGemmF32Kernels[] = {
#define MICRORT_GEMM_F32(name, set, mr, nr, lanes, rows)                                              \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::gemm_f32_##name, mr, nr, lanes, GemmF32Rows::rows, \
                        MICRORT_RUN(set, GemmF32_##name)})
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
};
constexpr auto kGemmF32Kernels = MICRORT_NEEDED(GemmF32Kernel, kAllGemmF32Kernels);

}  // namespace

Span<const GemmF32Kernel> GemmF32Kernels() { return kGemmF32Kernels; }

size_t SelectGemmF32(CpuFeatures features, size_t columns) {
  size_t best = 0, best_time = SIZE_MAX;
  for (size_t i = 0; i < GemmF32Kernels().size(); ++i) {
    const GemmF32Kernel& kernel = kGemmF32Kernels[i];
    if ((kernel.features & features) != kernel.features) continue;
    const size_t time = AlignUp(columns, GemmF32Step(kernel)) / kernel.lanes;
    if (time < best_time || (time == best_time && columns > kGemmF32Kernels[best].nr)) {
      best = i;
      best_time = time;
    }
  }
  return best;
}

}  // namespace micrort
