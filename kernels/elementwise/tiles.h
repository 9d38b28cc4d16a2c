#pragma once
// How element-wise work is cut for threads.

#include <cstddef>

#include "kernels/base/checked_math.h"
#include "kernels/base/parallel.h"
#include "kernels/base/task_sizes.h"

namespace micrort {

// Calls f(begin, end) for tiles that cover [0, n).
template <typename Function>
void ForEachTile(const Parallel& parallel, size_t n, Function&& f) {
  if (n == 0) return;
  ParallelFor(parallel, CeilDiv(n, kTaskElements), [&](size_t tile, int) {
    const size_t begin = tile * kTaskElements;
    const size_t end = begin + kTaskElements;
    f(begin, end < n ? end : n);
  });
}

}  // namespace micrort
