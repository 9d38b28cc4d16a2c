#pragma once
// Scales and zero points of int4 weights of a layer.

#include "kernels/base/layer_types.h"
#include "runtime/ops/op.h"

namespace micrort {

// Fills half_scales and asymmetric of `types`, whose other types are known. takes_zero_points: others than 0
// are legal. Weights whose scales are halves are packed with halves.
Status ReadInt4Grid(const Tensor& weights, bool takes_zero_points, LayerTypes* types);

}  // namespace micrort
