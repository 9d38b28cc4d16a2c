#include "micrort/multi_model_plan.h"

#include "kernels/base/checked_math.h"

namespace micrort {

Result<MultiModelPlan::Part> MultiModelPlan::Place(size_t bytes) {
  if (use_ == Use::kOneAtATime) {
    if (bytes > arena_bytes_) arena_bytes_ = bytes;
    return Part{0, bytes};
  }
  const size_t offset = AlignUp(arena_bytes_, kAlignment);
  size_t end = 0;
  if (offset < arena_bytes_ || !CheckedAdd(offset, bytes, &end)) {
    return MICRORT_ERROR(kOutOfMemory, "the arenas of all models exceed the address space");
  }
  arena_bytes_ = end;
  return Part{offset, bytes};
}

}  // namespace micrort
