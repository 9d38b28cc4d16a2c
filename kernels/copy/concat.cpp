#include "kernels/copy/concat.h"

#include "kernels/copy/map_bytes.h"
#include "kernels/copy/strided_copy.h"

namespace micrort {

void RunConcatPart(const ConcatPart& part, const void* x, void* y, const Parallel& parallel) {
  if (part.rows == 0) return;  // y may be null
  const auto element = static_cast<int64_t>(part.element_bytes);
  auto* to = static_cast<uint8_t*>(y) + part.column * element;
  if (part.requantizes) {
    const ByteMap map = RequantizationMap(part.scale, part.zero_point, part.out_scale, part.out_zero_point);
    MapBytes(map, static_cast<size_t>(part.rows), static_cast<size_t>(part.cols),
             static_cast<const int8_t*>(x), static_cast<size_t>(part.cols), reinterpret_cast<int8_t*>(to),
             static_cast<size_t>(part.out_cols), parallel);
    return;
  }
  const CopyDim dims[] = {{part.rows, part.cols * element, part.out_cols * element},
                          {part.cols, element, element}};
  RunCopy(PlanCopy(part.element_bytes, dims), x, to, parallel);
}

}  // namespace micrort
