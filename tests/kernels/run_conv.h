#pragma once
// A run of any convolution algorithm with guards around all that it writes, its tiles in reverse order.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/kernels/conv_operands.h"
#include "tests/kernels/reversed_parallel.h"

namespace micrort::testing {

// y has the output's contents before the run, and gets those after it. tensors.residual may be y.data(): then
// both have the same memory in the run, too.
template <typename T>
void RunConv(const Conv2DParams& p, const Conv2DAlgorithm& algorithm, const ConvTarget& target,
             const ConvWeights& weights, ConvTensors tensors, std::vector<T>& y) {
  GuardedBuffer<Block> packed = Memory(algorithm.packed_bytes(p, target));
  const ConvPlan plan = algorithm.plan(p, target);
  GuardedBuffer<Block> scratch = Memory(algorithm.scratch_bytes(p, target, plan));
  GuardedBuffer<T> out(y.size());
  std::copy(y.begin(), y.end(), out.begin());
  algorithm.pack(p, target, weights, packed.data());
  if (tensors.residual == y.data()) tensors.residual = out.data();
  tensors.packed = packed.data();
  tensors.scratch = scratch.data();
  tensors.y = out.data();
  algorithm.run(p, target, plan, tensors, ReversedParallel(target.workers));
  EXPECT_TRUE(out.GuardsIntact() && packed.GuardsIntact() && scratch.GuardsIntact());
  std::copy(out.begin(), out.end(), y.begin());
}

}  // namespace micrort::testing
