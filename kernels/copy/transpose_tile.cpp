#include "kernels/copy/transpose_tile.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {

namespace {

constexpr TransposeTileKernel kAllTransposeTileKernels[] = {
#define MICRORT_TRANSPOSE_TILE(name, set, element_bytes, tile)                                 \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::transpose_tile_##name, element_bytes, tile, \
                        MICRORT_RUN(set, TransposeTile_##name)})
#include "kernels/copy/transpose_tile.inc"
#undef MICRORT_TRANSPOSE_TILE
};
constexpr auto kTransposeTileKernels = MICRORT_NEEDED(TransposeTileKernel, kAllTransposeTileKernels);

}  // namespace

Span<const TransposeTileKernel> TransposeTileKernels() { return kTransposeTileKernels; }

const TransposeTileKernel* SelectTransposeTile(size_t element_bytes, CpuFeatures features) {
  const TransposeTileKernel* best = nullptr;
  for (const TransposeTileKernel& kernel : TransposeTileKernels()) {
    if (kernel.element_bytes == element_bytes && (kernel.features & features) == kernel.features)
      best = &kernel;
  }
  return best;
}

}  // namespace micrort
