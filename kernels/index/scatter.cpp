#include "kernels/index/scatter.h"

#include <cstring>

#include "kernels/copy/gather.h"
#include "kernels/index/index_type.h"

namespace micrort {

namespace {

class Meeting {
 public:
  explicit Meeting(const ScatterRule& rule)
      : reduction_(rule.reduction),
        element_bytes_(SizeOf(rule.dtype)),
        combine_(rule.reduction == ScatterReduction::kNone ? nullptr : SelectCombine(rule.dtype)) {}

  size_t element_bytes() const { return element_bytes_; }
  void operator()(void* target, const void* update, size_t n) const {
    if (combine_ == nullptr) {
      std::memcpy(target, update, n * element_bytes_);
    } else {
      combine_(reduction_, target, update, n);
    }
  }

 private:
  const ScatterReduction reduction_;
  const size_t element_bytes_;
  const CombineFn combine_;
};

void CopyData(const void* data, size_t bytes, void* y) {
  if (y != data && bytes != 0) std::memcpy(y, data, bytes);
}

}  // namespace

template <typename Index>
void ScatterElements(const ElementIndex& plan, const ScatterRule& rule, const Index* indices,
                     const void* updates, void* data) {
  auto* to = static_cast<uint8_t*>(data);
  const auto* from = static_cast<const uint8_t*>(updates);
  const Meeting meet(rule);
  const size_t bytes = meet.element_bytes();
  ForEachElement(plan, indices,
                 [&](size_t i, size_t offset) { meet(to + offset * bytes, from + i * bytes, 1); });
}

template <typename Index>
void ScatterND(const TupleIndex& plan, const ScatterRule& rule, const Index* indices, const void* updates,
               void* data) {
  auto* to = static_cast<uint8_t*>(data);
  const auto* from = static_cast<const uint8_t*>(updates);
  const Meeting meet(rule);
  const size_t block_bytes = plan.block * meet.element_bytes();
  if (block_bytes == 0) return;
  for (size_t i = 0; i < plan.tuples(); ++i) {
    meet(to + BlockOffset(plan, indices, i) * meet.element_bytes(), from + i * block_bytes, plan.block);
  }
}

#define MICRORT_INSTANTIATE_SCATTER(Index)                                                                  \
  template void ScatterElements(const ElementIndex&, const ScatterRule&, const Index*, const void*, void*); \
  template void ScatterND(const TupleIndex&, const ScatterRule&, const Index*, const void*, void*);
MICRORT_INSTANTIATE_SCATTER(int32_t)
MICRORT_INSTANTIATE_SCATTER(int64_t)
#undef MICRORT_INSTANTIATE_SCATTER

size_t RunScatterND(const ScatterNDCall& call, const void* data, const void* indices, const void* updates,
                    void* y) {
  return WithIndexType(call.indices, indices, [&](const auto* values) {
    const size_t bad = FindBadTupleIndex(call.plan, values);
    if (bad != call.plan.indices()) return bad;
    CopyData(data, call.data_bytes, y);
    ScatterND(call.plan, call.rule, values, updates, y);
    return bad;
  });
}

size_t RunScatterElements(const ScatterElementsCall& call, const void* data, const void* indices,
                          const void* updates, void* y) {
  return WithIndexType(call.indices, indices, [&](const auto* values) {
    const size_t bad = FindBadIndex(values, call.count, static_cast<size_t>(call.plan.bound));
    if (bad != call.count) return bad;
    CopyData(data, call.data_bytes, y);
    ScatterElements(call.plan, call.rule, values, updates, y);
    return bad;
  });
}

}  // namespace micrort
