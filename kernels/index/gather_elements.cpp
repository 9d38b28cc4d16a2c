#include "kernels/index/gather_elements.h"

#include "kernels/copy/gather.h"
#include "kernels/index/index_type.h"

namespace micrort {

namespace {

template <typename T, typename Index>
void GatherTyped(const ElementIndex& plan, const void* data, const Index* indices, void* y) {
  const auto* from = static_cast<const T*>(data);
  auto* to = static_cast<T*>(y);
  ForEachElement(plan, indices, [&](size_t i, size_t offset) { to[i] = from[offset]; });
}

}  // namespace

template <typename Index>
void GatherElements(const ElementIndex& plan, size_t bytes, const void* data, const Index* indices, void* y) {
  switch (bytes) {
    case 1:
      return GatherTyped<uint8_t>(plan, data, indices, y);
    case 2:
      return GatherTyped<uint16_t>(plan, data, indices, y);
    case 4:
      return GatherTyped<uint32_t>(plan, data, indices, y);
    default:
      return GatherTyped<uint64_t>(plan, data, indices, y);
  }
}

template void GatherElements(const ElementIndex&, size_t, const void*, const int32_t*, void*);
template void GatherElements(const ElementIndex&, size_t, const void*, const int64_t*, void*);

size_t RunGatherElements(const GatherElementsCall& call, const void* data, const void* indices, void* y) {
  return WithIndexType(call.indices, indices, [&](const auto* values) {
    const size_t bad = FindBadIndex(values, call.count, static_cast<size_t>(call.plan.bound));
    if (bad == call.count) GatherElements(call.plan, call.element_bytes, data, values, y);
    return bad;
  });
}

}  // namespace micrort
