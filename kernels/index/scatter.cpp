#include "kernels/index/scatter.h"

#include <cstring>

namespace micrort {

namespace {

void Meet(const ScatterRule& rule, void* target, const void* update, size_t n) {
  if (rule.combine == nullptr) {
    std::memcpy(target, update, n * rule.element_bytes);
  } else {
    rule.combine(rule.reduction, target, update, n);
  }
}

}  // namespace

template <typename Index>
void ScatterElements(const ElementIndex& plan, const ScatterRule& rule, const Index* indices,
                     const void* updates, void* data) {
  auto* to = static_cast<uint8_t*>(data);
  const auto* from = static_cast<const uint8_t*>(updates);
  const size_t bytes = rule.element_bytes;
  ForEachElement(plan, indices,
                 [&](size_t i, size_t offset) { Meet(rule, to + offset * bytes, from + i * bytes, 1); });
}

template <typename Index>
void ScatterND(const TupleIndex& plan, const ScatterRule& rule, const Index* indices, const void* updates,
               void* data) {
  auto* to = static_cast<uint8_t*>(data);
  const auto* from = static_cast<const uint8_t*>(updates);
  const size_t block_bytes = plan.block * rule.element_bytes;
  if (block_bytes == 0) return;
  for (size_t i = 0; i < plan.tuples(); ++i) {
    Meet(rule, to + BlockOffset(plan, indices, i) * rule.element_bytes, from + i * block_bytes, plan.block);
  }
}

#define MICRORT_INSTANTIATE_SCATTER(Index)                                                                  \
  template void ScatterElements(const ElementIndex&, const ScatterRule&, const Index*, const void*, void*); \
  template void ScatterND(const TupleIndex&, const ScatterRule&, const Index*, const void*, void*);
MICRORT_INSTANTIATE_SCATTER(int32_t)
MICRORT_INSTANTIATE_SCATTER(int64_t)
#undef MICRORT_INSTANTIATE_SCATTER

}  // namespace micrort
