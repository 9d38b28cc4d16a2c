#pragma once
// The weights of int8 Winograd convolution: four times the transforms of 3x3 filters, which are whole.

#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/winograd/winograd_s8.h"

namespace micrort {

// [ceil(out_c / nr)][16 points][depth / kr][nr][kr], zero beyond the last column and channel; `depth` is in_c
// or more and a multiple of kr. sums[o] is the sum of the weights of column o.
void PackInt8WinogradWeights(const Conv2DParams& p, const ConvWeights& weights,
                             const WinogradS8Kernel& kernel, size_t depth, int16_t* out, int32_t* sums);

}  // namespace micrort
