#include "kernels/elementwise/select.h"

#include "kernels/elementwise/tiles.h"

namespace micrort {
namespace {

template <typename T>
void SelectTyped(const BroadcastPlan& plan, const uint8_t* condition, const void* a, const void* b, void* y,
                 const Parallel& parallel) {
  const auto *from_a = static_cast<const T*>(a), *from_b = static_cast<const T*>(b);
  auto* to = static_cast<T*>(y);
  const size_t condition_stride = plan.run_strides[0], a_stride = plan.run_strides[1],
               b_stride = plan.run_strides[2];
  ForEachTile(parallel, plan.elements, [&](size_t begin, size_t end) {
    ForEachPiece(plan, begin, end, kTaskElements, [&](size_t first, const size_t* offsets, size_t n) {
      for (size_t i = 0; i < n; ++i) {
        const bool take_a = condition[offsets[0] + i * condition_stride] != 0;
        to[first + i] = take_a ? from_a[offsets[1] + i * a_stride] : from_b[offsets[2] + i * b_stride];
      }
    });
  });
}

}  // namespace

void SelectElements(const BroadcastPlan& plan, size_t element_bytes, const uint8_t* condition, const void* a,
                    const void* b, void* y, const Parallel& parallel) {
  switch (element_bytes) {
    case 1:
      return SelectTyped<uint8_t>(plan, condition, a, b, y, parallel);
    case 2:
      return SelectTyped<uint16_t>(plan, condition, a, b, y, parallel);
    case 4:
      return SelectTyped<uint32_t>(plan, condition, a, b, y, parallel);
    default:
      return SelectTyped<uint64_t>(plan, condition, a, b, y, parallel);
  }
}

}  // namespace micrort
