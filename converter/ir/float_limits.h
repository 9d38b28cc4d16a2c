#pragma once

#include <limits>

#include "kernels/base/dtype.h"

namespace micrort::ir {

// The largest finite number of a type of floats.
inline double LargestFinite(DType dtype) {
  if (dtype == DType::kFloat64) return std::numeric_limits<double>::max();
  return dtype == DType::kFloat16 ? 65504 : double{std::numeric_limits<float>::max()};
}

}  // namespace micrort::ir
