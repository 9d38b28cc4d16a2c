#include "kernels/elementwise/softmax_s8.h"

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

void Normalize(const SoftmaxS8Task& task, const SoftmaxF32Kernel& kernel, size_t outer, float* values) {
  const SoftmaxShape& shape = task.shape;
  if (shape.inner == 1) return kernel.rows(values, values, outer, shape.n, task.log);
  const size_t elements = shape.n * shape.inner;
  for (size_t i = 0; i < outer; ++i) {
    float* slice = values + i * elements;
    kernel.columns(slice, slice, shape.inner, shape.n, shape.inner, task.log);
  }
}

}  // namespace

bool SoftmaxS8ScratchBytes(const SoftmaxShape& shape, int workers, size_t* bytes) {
  return CheckedMul(PartBytes(shape), static_cast<size_t>(workers), bytes);
}

void SoftmaxS8(const SoftmaxS8Task& task, const int8_t* x, int8_t* y, void* scratch,
               const Parallel& parallel) {
  MICRORT_DCHECK(IsAligned(scratch));
  const size_t elements = task.shape.n * task.shape.inner;
  if (task.shape.outer * elements == 0) return;
  const SoftmaxF32Kernel& softmax = VariantOf(SoftmaxF32Kernels(), task.softmax);
  const ConvertF32Kernel& convert = VariantOf(ConvertF32Kernels(), task.convert);
  const size_t part = OuterPerPart(task.shape), part_bytes = PartBytes(task.shape);
  ParallelFor(parallel, CeilDiv(task.shape.outer, part), [&](size_t index, int worker) {
    auto* values =
        reinterpret_cast<float*>(static_cast<uint8_t*>(scratch) + static_cast<size_t>(worker) * part_bytes);
    const size_t first = index * part;
    const size_t outer = std::min(part, task.shape.outer - first);
    convert.dequantize_s8(x + first * elements, values, outer * elements, task.x);
    Normalize(task, softmax, outer, values);
    convert.quantize_s8(values, y + first * elements, outer * elements, task.y);
  });
}

}  // namespace micrort
