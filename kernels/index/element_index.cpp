#include "kernels/index/element_index.h"

#include "kernels/base/dcheck.h"

namespace micrort {

ElementIndex PlanElementIndex(const Shape& indices, const Shape& data, int axis) {
  MICRORT_DCHECK(indices.rank >= 1 && indices.rank == data.rank);
  MICRORT_DCHECK(axis >= 0 && axis < data.rank);
  ElementIndex plan;
  plan.rank = indices.rank;
  plan.bound = data[axis];
  int64_t step = 1;
  for (int d = data.rank - 1; d >= 0; --d) {
    plan.dims[d] = indices[d];
    plan.steps[d] = d == axis ? 0 : step;
    if (d == axis) plan.axis_step = step;
    step *= data[d];
  }
  return plan;
}

}  // namespace micrort
