#include "converter/frontend/common/axes.h"

#include <algorithm>
#include <limits>

#include "converter/frontend/common/errors.h"
#include "kernels/base/checked_math.h"

namespace micrort::frontend {

Result<int> NormalizeAxis(int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) return Invalid("axis {} of {} dimensions", axis, rank);
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Result<std::vector<int32_t>> NormalizeAxes(const std::vector<int64_t>& axes, int rank) {
  std::vector<int32_t> normalized(axes.size());
  for (size_t i = 0; i < axes.size(); ++i)
    MICRORT_RETURN_IF_ERROR(Take(NormalizeAxis(axes[i], rank), &normalized[i]));
  return normalized;
}

Result<std::vector<int32_t>> SortedAxes(const std::vector<int64_t>& axes, int rank) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> sorted, NormalizeAxes(axes, rank));
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

Status CheckDistinct(const std::vector<int32_t>& axes) {
  for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
    if (std::find(axes.begin(), axis, *axis) != axis) return Invalid("axis {} is listed twice", *axis);
  }
  return Status();
}

Result<int32_t> ToInt32(int64_t v, const char* what) {
  if (v < std::numeric_limits<int32_t>::min() || v > std::numeric_limits<int32_t>::max())
    return Invalid("{}: {} does not fit 32 bits", what, v);
  return static_cast<int32_t>(v);
}

int64_t SaturatedProduct(int64_t a, int64_t b) {
  int64_t product = 0;
  return CheckedMul(a, b, &product) ? product : std::numeric_limits<int64_t>::max();
}

}  // namespace micrort::frontend
