#include "kernels/attention/cache_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/base/checked_math.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/task_sizes.h"
#include "kernels/elementwise/convert_f32.h"
#include "kernels/reduce/min_max_f32.h"

namespace micrort {
namespace {

// Without a number the range is empty, from infinity to -infinity.
float ScaleOf(MinMax range) {
  const float scale = std::max(range.max, -range.min) / 127.0f;
  return std::isnormal(scale) && scale > 0 ? scale : 1.0f;
}

}  // namespace

CacheRows PlanCacheRows(DType type, int64_t width, CpuFeatures features) {
  return {width, SelectConvertF32(features).id, SelectMinMaxF32(features).id, type};
}

void WriteCacheRows(const CacheRows& plan, const float* x, int64_t count, void* rows,
                    const Parallel& parallel) {
  const ConvertF32Kernel& convert = VariantOf(ConvertF32Kernels(), plan.convert);
  const MinMaxF32Fn min_max = VariantOf(MinMaxF32Kernels(), plan.min_max).run;
  const auto width = static_cast<size_t>(plan.width), elements = static_cast<size_t>(plan.elements());
  const auto write = [&](size_t row) {
    const float* const from = x + row * width;
    if (plan.type == DType::kFloat16)
      return convert.to_half(from, static_cast<uint16_t*>(rows) + row * elements, width);
    int8_t* const to = static_cast<int8_t*>(rows) + row * elements;
    const float scale = ScaleOf(min_max(from, width));
    convert.quantize_s8(from, to, width, {scale, 0});
    std::memcpy(to + width, &scale, sizeof scale);
  };
  const size_t all = static_cast<size_t>(count), rows_a_task = std::max<size_t>(1, kTaskElements / width);
  ParallelFor(parallel, CeilDiv(all, rows_a_task), [&](size_t task, int) {
    const size_t end = std::min(all, (task + 1) * rows_a_task);
    for (size_t row = task * rows_a_task; row < end; ++row) write(row);
  });
}

void ReadCacheRows(const CacheRows& plan, const void* rows, int64_t stride, int64_t count, float* y) {
  const ConvertF32Kernel& convert = VariantOf(ConvertF32Kernels(), plan.convert);
  const auto width = static_cast<size_t>(plan.width);
  for (int64_t row = 0; row < count; ++row, y += width) {
    if (plan.type == DType::kFloat16) {
      convert.from_half(static_cast<const uint16_t*>(rows) + row * stride, y, width);
      continue;
    }
    const int8_t* const from = static_cast<const int8_t*>(rows) + row * stride;
    float scale;
    std::memcpy(&scale, from + width, sizeof scale);
    convert.dequantize_s8(from, y, width, {scale, 0});
  }
}

}  // namespace micrort
