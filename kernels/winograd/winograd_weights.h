#pragma once
// The weights of Winograd convolution: 3x3 filters transformed ahead.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// [(m + 2)^2 points][ceil(out_c / nr)][in_c][nr], columns beyond the last are zero. m is 2, 4 or 6; groups
// is 1. With m = 1, in one dimension: [4 points][ceil(out_c / nr)][3 rows][in_c][nr].
void PackWinogradWeights(const Conv2DParams& p, const ConvWeights& weights, int m, size_t nr, float* out);

// The same of halves, for m = 2: four times as large as the filters ask for.
void PackHalfWinogradWeights(const Conv2DParams& p, const ConvWeights& weights, size_t nr, uint16_t* out);

}  // namespace micrort
