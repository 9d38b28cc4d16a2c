#include "converter/frontend/common/axes.h"

#include <algorithm>

#include "converter/frontend/common/errors.h"

namespace micrort::frontend {

Status NormalizeAxis(int64_t axis, int rank, int* out) {
  if (axis < -rank || axis >= rank) return Invalid("axis {} of {} dimensions", axis, rank);
  *out = static_cast<int>(axis < 0 ? axis + rank : axis);
  return Status();
}

Status NormalizeAxes(const std::vector<int64_t>& axes, int rank, std::vector<int32_t>* out) {
  out->resize(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) MICRORT_RETURN_IF_ERROR(NormalizeAxis(axes[i], rank, &(*out)[i]));
  return Status();
}

Status SortedAxes(const std::vector<int64_t>& axes, int rank, std::vector<int32_t>* out) {
  MICRORT_RETURN_IF_ERROR(NormalizeAxes(axes, rank, out));
  std::sort(out->begin(), out->end());
  out->erase(std::unique(out->begin(), out->end()), out->end());
  return Status();
}

Status CheckDistinct(const std::vector<int32_t>& axes) {
  for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
    if (std::find(axes.begin(), axis, *axis) != axis) return Invalid("axis {} is listed twice", *axis);
  }
  return Status();
}

}  // namespace micrort::frontend
