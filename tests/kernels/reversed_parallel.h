#pragma once
// Runs tiles last to first, spread over workers: finds algorithms that rely on the order of their tiles,
// without the threads that would make a failure hard to repeat.

#include "kernels/base/parallel.h"

namespace micrort::testing {

class ReversedParallel final : public Parallel {
 public:
  explicit ReversedParallel(int workers) : workers_(workers) {}
  int workers() const override { return workers_; }
  void Run(size_t tiles, TileFn fn, void* context) const override {
    for (size_t i = tiles; i-- > 0;) fn(context, i, static_cast<int>(i % static_cast<size_t>(workers_)));
  }

 private:
  int workers_;
};

}  // namespace micrort::testing
