#pragma once
// Sub-pixel decomposition: a transposed convolution as ordinary ones. Output pixels whose indices are
// congruent modulo the stride, a part of the layer, are reached by the same taps and lie over neighbouring
// inputs: a convolution with stride 1 by every stride-th tap in reverse, without a product by the zeros
// between inputs. (V. Dumoulin, F. Visin: A guide to convolution arithmetic for deep learning, 2016, for how
// the two are related.)

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Where there is no dilation and, along both axes, there are at least as many taps as the stride; up to 64
// taps a part and 1,024 parts. Each part is computed by the algorithm of the same name without "phased_",
// or by implicit GEMM where that is not applicable, into scratch from where its pixels take their places.
extern const Conv2DAlgorithm kSubPixelGemmF32;
extern const Conv2DAlgorithm kSubPixelGemmS8;
extern const Conv2DAlgorithm kSubPixelWinograd2;
extern const Conv2DAlgorithm kSubPixelWinograd4;

}  // namespace micrort
