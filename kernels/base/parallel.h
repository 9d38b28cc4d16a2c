#pragma once
// How algorithms use threads without knowing a thread pool: work is cut into tiles that may run in any order.

#include <cstddef>
#include <type_traits>

namespace micrort {

class Parallel {
 public:
  using TileFn = void (*)(void* context, size_t tile, int worker);

  // Number of workers; `worker` passed to a tile is in [0, workers()), and no two tiles run at the same time
  // with the same worker, so it may index per-worker scratch.
  virtual int workers() const = 0;
  // Calls fn for every tile in [0, tiles) and returns when all are done.
  virtual void Run(size_t tiles, TileFn fn, void* context) const = 0;

 protected:
  ~Parallel() = default;
};

// The calling thread alone.
class Sequential final : public Parallel {
 public:
  int workers() const override { return 1; }
  void Run(size_t tiles, TileFn fn, void* context) const override {
    for (size_t t = 0; t < tiles; ++t) fn(context, t, 0);
  }
};

// ParallelFor(parallel, tiles, [&](size_t tile, int worker) { ... });
template <typename F>
void ParallelFor(const Parallel& parallel, size_t tiles, F&& body) {
  auto call = [](void* context, size_t tile, int worker) {
    (*static_cast<std::remove_reference_t<F>*>(context))(tile, worker);
  };
  parallel.Run(tiles, call, const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace micrort
