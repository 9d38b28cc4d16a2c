#pragma once
// Nodes that run as one: convolutions, band by band.

#include <cstdint>

#include "kernels/base/fixed_array.h"
#include "kernels/conv2d/conv_chain.h"
#include "runtime/ops/op.h"

namespace micrort {

struct FusedChain {
  size_t first = 0, end = 0;  // nodes
  ConvChain plan;
  PrepareResult prepared;      // what all of them ask for together
  FixedArray<int32_t> inputs;  // of all of them
  void* scratch = nullptr;

  bool Holds(size_t node) const { return first <= node && node < end; }
};

}  // namespace micrort
