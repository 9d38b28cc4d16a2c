#include "kernels/elementwise/chain.h"

#include <algorithm>

#include "kernels/elementwise/elements.h"
#include "kernels/elementwise/tiles.h"

namespace micrort {

namespace {

// How much each stage does at a time. 8 KiB of floats: a tile and two operands fit into the first-level cache
// of every machine that has one.
constexpr size_t kCachedElements = 2048;
// Chunks begin where they do in a run of the whole.
static_assert(kCachedElements % kChunkElements == 0 && kTaskElements % kCachedElements == 0);

}  // namespace

void RunElementwiseChain(Span<const ElementwiseStage> stages, void* y, size_t n, const Parallel& parallel) {
  ForEachTile(parallel, n, [&](size_t begin, size_t end) {
    for (size_t first = begin; first < end; first += kCachedElements) {
      const size_t last = std::min(first + kCachedElements, end);
      for (const ElementwiseStage& stage : stages)
        stage.call.run(stage.call.task, stage.a, stage.b, y, first, last);
    }
  });
}

}  // namespace micrort
