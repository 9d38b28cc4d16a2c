#include "kernels/pool/pool.h"

namespace micrort {

namespace {

constexpr PoolKernel kKernels[] = {
#define MICRORT_POOL(function, isa, features) \
  {PoolFunction::k##function, #function "_" #isa, features, Pool##function##_##isa},
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
