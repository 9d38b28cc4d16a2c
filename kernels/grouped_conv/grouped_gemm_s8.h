#pragma once
// int8 convolutions of groups of few channels, as those of ResNeXt: one product for as many groups as fill a
// panel of columns, with zeros where a column does not read a channel. These cost nothing: the columns that
// they are in would be empty.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

extern const Conv2DAlgorithm kGroupedGemmS8;

}  // namespace micrort
