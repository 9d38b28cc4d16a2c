#pragma once
// A layer computed by the convolution algorithms (kernels/conv2d): what Conv2D and MatMul share.

#include "kernels/conv_call/conv_call.h"
#include "runtime/ops/op.h"

namespace micrort {

// Part of an operator's state; filled in prepare.
struct ConvLayer : ConvCall {
  // Weights that are constants are packed once, `matrices` of them one after the other; others are packed at
  // the start of scratch, one at a time, as the layer runs.
  bool constant_weights;
  size_t packed_bytes;  // of one matrix, a multiple of 64
};

// Chooses the algorithm for layer->params; asks for packed weights (slot 0) and scratch.
Status PlanConvLayer(PrepareContext& context, int64_t matrices, ConvLayer* layer);

// `weights.data` of matrix `i` → its place in the packed block.
void PackConvLayer(const ConvLayer& layer, const ConvWeights& weights, int64_t i, void* packed);

// Computes with matrix `i`. tensors.packed and tensors.scratch are set here.
void RunConvLayer(const ConvLayer& layer, const ConvWeights& weights, int64_t i, ConvTensors tensors,
                  const RunContext& context);

}  // namespace micrort
