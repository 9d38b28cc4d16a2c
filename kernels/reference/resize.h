#pragma once
// Resizing by its definition, axis by axis in double precision: the oracle of tests.

#include <vector>

#include "kernels/base/shape.h"
#include "kernels/resize/resize_axis.h"

namespace micrort::reference {

// `axes`: one a dimension of `in`. `outside`: what kTfCropAndResize gives outside the input.
std::vector<double> Resize(const ResizeMethod& method, const Shape& in, const ResizeAxis* axes,
                           double outside, const std::vector<double>& x);

}  // namespace micrort::reference
