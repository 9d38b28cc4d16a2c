#include "kernels/pool/pool.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {

namespace {

constexpr PoolKernel kKernels[] = {
#define MICRORT_POOL(function, set)                                              \
  MICRORT_VARIANT(set, {PoolFunction::k##function, #function "_" #set, isa::set, \
                        KernelId::pool_##function##_##set, MICRORT_RUN(set, Pool##function##_##set)})
#include "kernels/pool/pool.inc"
#undef MICRORT_POOL
};

}  // namespace

Span<const PoolKernel> PoolKernels() { return kKernels; }

const PoolKernel& SelectPool(PoolFunction function, CpuFeatures features) {
  const PoolKernel* best = nullptr;
  for (const PoolKernel& kernel : kKernels) {
    if (kernel.function == function && (kernel.features & features) == kernel.features) best = &kernel;
  }
  return *best;
}

}  // namespace micrort
