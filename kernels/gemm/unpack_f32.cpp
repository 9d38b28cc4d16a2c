#include "kernels/gemm/unpack_f32.h"

#include "kernels/base/rows.h"

namespace micrort {

namespace {

constexpr UnpackF32Kernel kKernels[] = {
#define MICRORT_UNPACK_F32(name, set, lanes)                                 \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::unpack_f32_##name, lanes, \
                        MICRORT_RUN(set, UnpackS8_##name), MICRORT_RUN(set, UnpackS4_##name)})
#include "kernels/gemm/unpack_f32.inc"
#undef MICRORT_UNPACK_F32
};

}  // namespace

Span<const UnpackF32Kernel> UnpackF32Kernels() { return kKernels; }

const UnpackF32Kernel& SelectUnpackF32(CpuFeatures features, size_t nr) {
  const UnpackF32Kernel* best = kKernels;
  for (const UnpackF32Kernel& kernel : kKernels) {
    if ((kernel.features & features) == kernel.features && nr % kernel.lanes == 0) best = &kernel;
  }
  return *best;
}

}  // namespace micrort
