#pragma once
// How a normalization over some axes of a tensor is carried out.

#include <cstddef>

#include "kernels/base/shape.h"
#include "kernels/base/span.h"

namespace micrort {

// Where the element of a scale or bias lies that belongs to [kept][inner].
struct NormalizeSteps {
  size_t kept = 0, inner = 0;
};

// x as [outer][rows][kept][inner], normalized over rows and inner; any of them may be 1. Rows are 1 where all
// normalized axes are adjacent and nothing follows them.
struct NormalizePlan {
  size_t outer = 1, rows = 1, kept = 1, inner = 1;
  NormalizeSteps scale, bias;

  size_t columns() const { return kept * inner; }
};

// False if the normalized axes (`is_normalized`: a flag an axis) do not leave x in that form, or scale or
// bias (null: absent) do not broadcast to x along the last axes, or vary along outer or rows, or along a part
// of kept or of inner. The converter asks too, with dimensions that are not fixed yet as any number above 1.
bool PlanNormalize(const Shape& x, const bool* is_normalized, const Shape* scale, const Shape* bias,
                   NormalizePlan* plan);

}  // namespace micrort
