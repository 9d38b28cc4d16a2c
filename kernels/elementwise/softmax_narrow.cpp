#include "kernels/elementwise/softmax_narrow.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/tiles.h"

namespace micrort {
namespace {

// Outer indices that one worker computes at a time.
size_t OuterPerPart(const SoftmaxShape& shape) {
  const size_t elements = std::max<size_t>(1, shape.n * shape.inner);
  return std::clamp<size_t>(kTaskElements / elements, 1, std::max<size_t>(1, shape.outer));
}

size_t PartBytes(const SoftmaxShape& shape) {
  return AlignUp(OuterPerPart(shape) * shape.n * shape.inner * sizeof(float), kAlignment);
}

void Normalize(const SoftmaxNarrowTask& task, const SoftmaxF32Kernel& kernel, size_t outer, float* values) {
  const SoftmaxShape& shape = task.shape;
  if (shape.inner == 1) return kernel.rows(values, values, outer, shape.n, task.log);
  const size_t elements = shape.n * shape.inner;
  for (size_t i = 0; i < outer; ++i) {
    float* slice = values + i * elements;
    kernel.columns(slice, slice, shape.inner, shape.n, shape.inner, task.log);
  }
}

class Conversions {
 public:
  Conversions(const SoftmaxNarrowTask& task, bool half)
      : task_(task), half_(half), kernel_(VariantOf(ConvertF32Kernels(), task.convert)) {}

  size_t element_bytes() const { return half_ ? sizeof(uint16_t) : sizeof(int8_t); }
  void Load(const void* x, float* values, size_t n) const {
    if (half_) return kernel_.from_half(static_cast<const uint16_t*>(x), values, n);
    kernel_.dequantize_s8(static_cast<const int8_t*>(x), values, n, task_.x);
  }
  void Store(const float* values, void* y, size_t n) const {
    if (half_) return kernel_.to_half(values, static_cast<uint16_t*>(y), n);
    kernel_.quantize_s8(values, static_cast<int8_t*>(y), n, task_.y);
  }

 private:
  const SoftmaxNarrowTask& task_;
  const bool half_;
  const ConvertF32Kernel& kernel_;
};

}  // namespace

size_t SoftmaxNarrowScratchBytes(const SoftmaxShape& shape, int workers) {
  return BytesOf(
      {BytesOf({OuterPerPart(shape), shape.n, shape.inner, sizeof(float)}), static_cast<size_t>(workers)});
}

void SoftmaxNarrow(const SoftmaxNarrowTask& task, bool half, const void* x, void* y, void* scratch,
                   const Parallel& parallel) {
  MICRORT_DCHECK(IsAligned(scratch));
  const size_t elements = task.shape.n * task.shape.inner;
  if (task.shape.outer * elements == 0) return;
  const SoftmaxF32Kernel& softmax = VariantOf(SoftmaxF32Kernels(), task.softmax);
  const Conversions convert(task, half);
  const size_t part = OuterPerPart(task.shape), part_bytes = PartBytes(task.shape);
  ParallelFor(parallel, CeilDiv(task.shape.outer, part), [&](size_t index, int worker) {
    auto* values =
        reinterpret_cast<float*>(static_cast<uint8_t*>(scratch) + static_cast<size_t>(worker) * part_bytes);
    const size_t first = index * part * elements * convert.element_bytes();
    const size_t outer = std::min(part, task.shape.outer - index * part);
    convert.Load(static_cast<const uint8_t*>(x) + first, values, outer * elements);
    Normalize(task, softmax, outer, values);
    convert.Store(values, static_cast<uint8_t*>(y) + first, outer * elements);
  });
}

}  // namespace micrort
