#pragma once
// A layer computed by the convolution algorithms (kernels/conv2d): what Conv2D and MatMul share.

#include "kernels/mat_mul/conv_layer.h"
#include "runtime/ops/op.h"

namespace micrort {

// Chooses the algorithm for layer->params; asks for packed weights (slot 0) and scratch.
Status PlanConvLayer(PrepareContext& context, int64_t matrices, ConvLayer* layer);

}  // namespace micrort
