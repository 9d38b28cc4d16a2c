#include "kernels/elementwise/softmax_f32.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/tiles.h"

namespace micrort {
namespace {

#define MICRORT_SOFTMAX_F32(name, set)                                           \
  MICRORT_VARIANT(set,                                                           \
                  {"softmax_f32_" #name, isa::set, KernelId::softmax_f32_##name, \
                   MICRORT_RUN(set, SoftmaxRowsF32_##name), MICRORT_RUN(set, SoftmaxColumnsF32_##name)})
constexpr SoftmaxF32Kernel kAllSoftmaxF32Kernels[] = {
#include "kernels/elementwise/softmax_f32.inc"
};
#undef MICRORT_SOFTMAX_F32
constexpr auto kSoftmaxF32Kernels = MICRORT_NEEDED(SoftmaxF32Kernel, kAllSoftmaxF32Kernels);

// Calls f(first, count) for pieces of [0, items), each of about a tile of work.
template <typename Function>
void ForEachPart(const Parallel& parallel, size_t items, size_t elements_per_item, Function f) {
  const size_t part = std::max<size_t>(1, kTaskElements / elements_per_item);
  ParallelFor(parallel, CeilDiv(items, part),
              [&](size_t tile, int) { f(tile * part, std::min(part, items - tile * part)); });
}

}  // namespace

Span<const SoftmaxF32Kernel> SoftmaxF32Kernels() { return kSoftmaxF32Kernels; }

const SoftmaxF32Kernel& SelectSoftmaxF32(CpuFeatures features) {
  return kSoftmaxF32Kernels[SelectVariant(SoftmaxF32Kernels(), features)];
}

void SoftmaxF32(const SoftmaxF32Kernel& kernel, const SoftmaxShape& shape, bool log, const float* x, float* y,
                const Parallel& parallel) {
  const size_t n = shape.n, inner = shape.inner;
  if (shape.outer * n * inner == 0) return;
  if (inner == 1) {
    ForEachPart(parallel, shape.outer, n, [&](size_t first, size_t count) {
      kernel.rows(x + first * n, y + first * n, count, n, log);
    });
    return;
  }
  // A part is a number of adjacent columns of one outer index.
  const size_t part = std::max<size_t>(8, std::min(inner, kTaskElements / n) / 8 * 8);
  const size_t parts = CeilDiv(inner, part);
  ParallelFor(parallel, shape.outer * parts, [&](size_t tile, int) {
    const size_t column = tile % parts * part;
    const size_t first = tile / parts * n * inner + column;
    kernel.columns(x + first, y + first, std::min(part, inner - column), n, inner, log);
  });
}

}  // namespace micrort
