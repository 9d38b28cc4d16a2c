#include "kernels/reduce/arg_reduce.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/base/part.h"
#include "kernels/elementwise/convert_elements.h"
#include "kernels/elementwise/tiles.h"

namespace micrort {
namespace {

MICRORT_LINK(LoadElements);
MICRORT_LINK(StoreElements);

// The best elements so far of at most kChunkElements columns.
template <typename T>
class ArgSearch {
 public:
  ArgSearch(const ArgReduceParams& params, const ElementConverter& convert, const void* x)
      : params_(params), convert_(convert), x_(x) {}

  // `columns` adjacent columns, the first of which begins at element `first`. Several are read a row at a
  // time, a single one of adjacent elements a chunk at a time.
  void Run(size_t first, size_t columns, int64_t* y) {
    const size_t rows = params_.inner == 1 ? kChunkElements : 1;
    for (size_t i = 0; i < params_.n; i += rows) {
      const size_t count = std::min(rows, params_.n - i);
      const T* x = Load(first + i * params_.inner, count * columns);
      for (size_t r = 0; r < count; ++r) Visit(static_cast<int64_t>(i + r), x + r * columns, columns, y);
    }
  }

 private:
  const T* Load(size_t first, size_t n) {
    const ElementFormat format = {params_.dtype, false, {}};
    return static_cast<const T*>(convert_.Load(format, x_, first, n, &chunk_));
  }

  bool IsBetter(T a, T best) const {
    if (a != a || best != best) return a != a && (best == best || params_.last);
    if (a == best) return params_.last;
    return params_.largest ? a > best : a < best;
  }

  void Visit(int64_t index, const T* x, size_t columns, int64_t* y) {
    for (size_t c = 0; c < columns; ++c) {
      if (index != 0 && !IsBetter(x[c], best_[c])) continue;
      best_[c] = x[c];
      y[c] = index;
    }
  }

  const ArgReduceParams& params_;
  const ElementConverter& convert_;
  const void* x_;
  Chunk chunk_;
  T best_[kChunkElements];
};

template <typename T>
void RunTyped(const ArgReduceParams& p, const ElementConverter& convert, const void* x, int64_t* y,
              const Parallel& parallel) {
  const size_t block = std::min(p.inner, kChunkElements);
  const size_t blocks = CeilDiv(p.inner, block);
  const size_t blocks_a_tile = std::max<size_t>(1, kTaskElements / (p.n * block));
  const size_t total = p.outer * blocks;
  ParallelFor(parallel, CeilDiv(total, blocks_a_tile), [&](size_t tile, int) {
    ArgSearch<T> search(p, convert, x);
    const size_t end = std::min(total, (tile + 1) * blocks_a_tile);
    for (size_t i = tile * blocks_a_tile; i < end; ++i) {
      const size_t outer = i / blocks, column = i % blocks * block;
      search.Run(outer * p.n * p.inner + column, std::min(block, p.inner - column),
                 y + outer * p.inner + column);
    }
  });
}

}  // namespace

void RunArgReduce(const ArgReduceParams& params, KernelId kernel, const void* x, int64_t* y,
                  const Parallel& parallel) {
  MICRORT_DCHECK(params.n >= 1 || params.outer * params.inner == 0);
  if (params.outer * params.inner == 0) return;
  const ElementConverter convert(kernel);
  switch (ComputeTypeOf({params.dtype, false, {}})) {
    case ComputeType::kF32:
      return RunTyped<float>(params, convert, x, y, parallel);
    case ComputeType::kF64:
      return RunTyped<double>(params, convert, x, y, parallel);
    case ComputeType::kS64:
      return RunTyped<int64_t>(params, convert, x, y, parallel);
    case ComputeType::kU64:
      return RunTyped<uint64_t>(params, convert, x, y, parallel);
  }
}

}  // namespace micrort
