#include "kernels/pool/pool.h"

#include "kernels/base/part.h"

namespace micrort {

MICRORT_PART(PoolF32Kernels);
MICRORT_PART(PoolF16Kernels);
MICRORT_PART(PoolS8Kernels);
MICRORT_PART(PoolU8Kernels);
MICRORT_PART(PoolS16Kernels);

namespace {

using ListOf = decltype(&PoolF32Kernels);

ListOf PartOf(PoolFunction function) {
  switch (function) {
    case PoolFunction::kMaxF32:
    case PoolFunction::kAverageF32:
      return &PoolF32Kernels;
    case PoolFunction::kMaxF16:
    case PoolFunction::kAverageF16:
      return &PoolF16Kernels;
    case PoolFunction::kMaxS8:
    case PoolFunction::kAverageS8:
      return &PoolS8Kernels;
    case PoolFunction::kMaxS16:
    case PoolFunction::kAverageS16:
      return &PoolS16Kernels;
    case PoolFunction::kMaxU8:
      break;
  }
  return &PoolU8Kernels;
}

}  // namespace

Span<const PoolKernel> PoolKernels(PoolFunction function) {
  const ListOf part = PartOf(function);
  return part == nullptr ? Span<const PoolKernel>() : part();
}

const PoolKernel* SelectPool(PoolFunction function, CpuFeatures features) {
  const PoolKernel* best = nullptr;
  for (const PoolKernel& kernel : PoolKernels(function)) {
    if (kernel.function == function && (kernel.features & features) == kernel.features) best = &kernel;
  }
  return best;
}

}  // namespace micrort
