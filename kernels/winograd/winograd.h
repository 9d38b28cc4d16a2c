#pragma once
// Float 3x3 convolution with stride 1 by the algorithms of Winograd (A. Lavin, S. Gray: Fast Algorithms for
// Convolutional Neural Networks, 2015): fewer multiplications for more additions, larger packed weights and
// sums that round differently. Errors grow with the tiles (B. Barabasz et al.: Error Analysis and Improving
// the Accuracy of Winograd Convolution for Deep Neural Networks, 2018); so that F(6, 3) has no greater ones
// than F(4, 3) has in wide layers, it computes layers of few channels only. docs/winograd.md has the figures.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

constexpr int64_t kMaxWinograd6Channels = 64;  // limit of in_c

extern const Conv2DAlgorithm kWinograd2;  // F(2, 3): 16 products for 4 outputs instead of 36
extern const Conv2DAlgorithm kWinograd4;  // F(4, 3): 36 products for 16 outputs instead of 144
extern const Conv2DAlgorithm kWinograd6;  // F(6, 3): 64 products for 36 outputs instead of 324

// 1-D F(2, 3), along rows: 12 products for 2 outputs instead of 18, of 4/3 of the weights. For small images,
// where reading the transformed weights of F(2, 3) takes longer than multiplying by them.
extern const Conv2DAlgorithm kWinograd1x2;

}  // namespace micrort
