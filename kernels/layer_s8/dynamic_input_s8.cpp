#include "kernels/layer_s8/dynamic_input_s8.h"

#include <cmath>
#include <limits>

#include "kernels/base/checked_math.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/task_sizes.h"

namespace micrort {
namespace {

struct Layout {
  size_t item_elements, chunks;  // chunks of one item
  size_t tasks;
  size_t scales, zero_points, ranges, x;  // offsets into scratch
  size_t bytes;

  explicit Layout(const Conv2DParams& p) {
    const auto items = static_cast<size_t>(p.batch);
    item_elements = static_cast<size_t>(p.in_h * p.in_w * p.in_c);
    chunks = CeilDiv<size_t>(item_elements, kTaskRangeElements);
    tasks = items * chunks;
    scales = 0;
    zero_points = scales + AlignUp(items * sizeof(float), kAlignment);
    ranges = zero_points + AlignUp(items * sizeof(int32_t), kAlignment);
    x = ranges + AlignUp(tasks * sizeof(MinMax), kAlignment);
    bytes = x + AlignUp(items * item_elements, kAlignment);
  }

  // Elements [first, first + count) of the whole tensor belong to a task.
  size_t first(size_t task) const {
    return task / chunks * item_elements + task % chunks * kTaskRangeElements;
  }
  size_t count(size_t task) const {
    const size_t left = item_elements - task % chunks * kTaskRangeElements;
    return left < kTaskRangeElements ? left : kTaskRangeElements;
  }
};

}  // namespace

QuantizationParams ChooseQuantization(MinMax range, bool symmetric) {
  const float min = range.min < 0 ? range.min : 0.0f;
  const float max = range.max > 0 ? range.max : 0.0f;
  if (symmetric) {
    const float step = (max > -min ? max : -min) / 127.0f;
    const bool usable = step >= std::numeric_limits<float>::min() && !std::isinf(step);
    return {usable ? step : 1.0f, 0};
  }
  // Differences of large numbers overflow; quotients do not.
  const float scale = max / 255.0f - min / 255.0f;
  if (!(scale >= std::numeric_limits<float>::min()) || std::isinf(scale)) return {1.0f, 0};
  const float zero_point = std::nearbyint(-128.0f - min / scale);
  return {scale, static_cast<int32_t>(zero_point < -128.0f  ? -128.0f
                                      : zero_point > 127.0f ? 127.0f
                                                            : zero_point)};
}

uint64_t DynamicInputScratchBytes(const Conv2DParams& p) { return Layout(p).bytes; }

void PlanDynamicInput(CpuFeatures features, ConvPlan* plan) {
  plan->min_max = SelectMinMaxF32(features).id;
  plan->convert = SelectConvertF32(features).id;
}

InputS8 MakeDynamicInput(const Conv2DParams& p, const ConvPlan& plan, const void* x, void* scratch,
                         const Parallel& parallel) {
  const Layout layout(p);
  auto* bytes = static_cast<uint8_t*>(scratch);
  auto* scales = reinterpret_cast<float*>(bytes + layout.scales);
  auto* zero_points = reinterpret_cast<int32_t*>(bytes + layout.zero_points);
  auto* ranges = reinterpret_cast<MinMax*>(bytes + layout.ranges);
  auto* quantized = reinterpret_cast<int8_t*>(bytes + layout.x);
  const auto* values = static_cast<const float*>(x);

  const MinMaxF32Fn min_max = VariantOf(MinMaxF32Kernels(), plan.min_max).run;
  ParallelFor(parallel, layout.tasks, [&](size_t task, int) {
    ranges[task] = min_max(values + layout.first(task), layout.count(task));
  });
  for (size_t item = 0; item < static_cast<size_t>(p.batch); ++item) {
    MinMax range = {0.0f, 0.0f};
    for (size_t i = item * layout.chunks; i < (item + 1) * layout.chunks; ++i) {
      range.min = ranges[i].min < range.min ? ranges[i].min : range.min;
      range.max = ranges[i].max > range.max ? ranges[i].max : range.max;
    }
    const QuantizationParams q = ChooseQuantization(range, p.types.symmetric);
    scales[item] = q.scale;
    zero_points[item] = q.zero_point;
  }
  const QuantizeS8Fn quantize = VariantOf(ConvertF32Kernels(), plan.convert).quantize_s8;
  ParallelFor(parallel, layout.tasks, [&](size_t task, int) {
    const size_t item = task / layout.chunks, first = layout.first(task);
    quantize(values + first, quantized + first, layout.count(task), {scales[item], zero_points[item]});
  });
  return {quantized, scales, zero_points};
}

}  // namespace micrort
