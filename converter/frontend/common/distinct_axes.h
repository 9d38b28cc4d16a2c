#pragma once
// Lists of axes in which no axis may stand twice.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::frontend {

// kInvalidModel, naming the first axis that is in the list before.
inline Status CheckDistinct(const std::vector<int32_t>& axes) {
  for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
    if (std::find(axes.begin(), axis, *axis) != axis)
      return MICRORT_ERROR(kInvalidModel, "axis %d is listed twice", *axis);
  }
  return Status();
}

}  // namespace micrort::frontend
