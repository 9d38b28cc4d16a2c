#pragma once
// A convolution or matrix product whose weights may be an input.

#include "kernels/conv_call/conv_call.h"

namespace micrort {

struct ConvLayer : ConvCall {
  // Weights that are constants are packed once, `matrices` of them one after the other; others are packed at
  // the start of scratch, one at a time, as the layer runs.
  bool constant_weights;
  size_t packed_bytes;  // of one matrix, a multiple of 64
};

// A layer of one matrix, and how its weights lie: from one output channel to the next, and from one element
// of a filter to the next.
struct ConvLayerCall {
  ConvLayer layer;
  int64_t column_stride, depth_stride;
};

// `weights.data` of matrix `i` → its place in the packed block.
void PackConvLayer(const ConvLayer& layer, const ConvWeights& weights, int64_t i, void* packed);

// Computes with matrix `i`. tensors.packed has all matrices; it is not read where weights are no constants,
// `weights` are not read where they are.
void RunConvLayer(const ConvLayer& layer, const ConvWeights& weights, int64_t i, ConvTensors tensors,
                  const Parallel& parallel);

}  // namespace micrort
