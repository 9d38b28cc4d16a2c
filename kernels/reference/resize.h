#pragma once
// Resizing by its definition, axis by axis in double precision: the oracle of tests.

#include <vector>

#include "kernels/base/shape.h"
#include "kernels/resize/resize_axis.h"

namespace micrort::reference {

// `axes`: one a dimension of `in`.
std::vector<double> Resize(const ResizeMethod& method, const Shape& in, const ResizeAxis* axes,
                           const std::vector<double>& x);

}  // namespace micrort::reference
