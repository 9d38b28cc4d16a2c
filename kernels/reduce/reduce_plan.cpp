#include "kernels/reduce/reduce_plan.h"

namespace micrort {
namespace {

struct Group {
  size_t size;
  size_t stride;
  bool is_reduced;
};

// Innermost first. Returns how many.
int CollectGroups(const Shape& shape, const bool* is_reduced, Group* groups) {
  int count = 0;
  size_t stride = 1;
  for (int d = shape.rank - 1; d >= 0; --d) {
    const auto size = static_cast<size_t>(shape[d]);
    if (size != 1 && count > 0 && groups[count - 1].is_reduced == is_reduced[d]) {
      groups[count - 1].size *= size;
    } else if (size != 1) {
      groups[count++] = {size, stride, is_reduced[d]};
    }
    stride *= size;
  }
  return count;
}

void AddLoop(const Group& group, LoopNest* nest) {
  nest->sizes[nest->rank] = group.size;
  nest->strides[nest->rank] = group.stride;
  ++nest->rank;
}

}  // namespace

size_t LoopNest::iterations() const {
  size_t n = 1;
  for (int i = 0; i < rank; ++i) n *= sizes[i];
  return n;
}

size_t LoopNest::Offset(size_t index) const {
  size_t offset = 0;
  for (int i = rank - 1; i >= 0; --i) {
    offset += index % sizes[i] * strides[i];
    index /= sizes[i];
  }
  return offset;
}

ReducePlan PlanReduce(const Shape& shape, const bool* is_reduced) {
  Group groups[kMaxRank];
  const int count = CollectGroups(shape, is_reduced, groups);
  ReducePlan plan;
  // The innermost kept and the innermost reduced group are the micro-kernel's; columns must be adjacent.
  int innermost = 0;
  if (innermost < count && !groups[innermost].is_reduced) plan.columns = groups[innermost++].size;
  if (innermost < count) {
    plan.rows = groups[innermost].size;
    plan.row_stride = groups[innermost].stride;
    ++innermost;
  }
  for (int g = count - 1; g >= innermost; --g)
    AddLoop(groups[g], groups[g].is_reduced ? &plan.reduced : &plan.kept);
  return plan;
}

}  // namespace micrort
