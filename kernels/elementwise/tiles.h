#pragma once
// How element-wise work is cut for threads.

#include <cstddef>

#include "kernels/base/checked_math.h"
#include "kernels/base/parallel.h"

namespace micrort {

// Elements of a tile: enough to outweigh handing it to a thread, a multiple of a chunk and of a cache line.
constexpr size_t kTileElements = 16384;

// Calls f(begin, end) for tiles that cover [0, n).
template <typename Function>
void ForEachTile(const Parallel& parallel, size_t n, Function&& f) {
  if (n == 0) return;
  ParallelFor(parallel, CeilDiv(n, kTileElements), [&](size_t tile, int) {
    const size_t begin = tile * kTileElements;
    const size_t end = begin + kTileElements;
    f(begin, end < n ? end : n);
  });
}

}  // namespace micrort
