#include "kernels/int4_gemm/grouped_input.h"

#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/task_sizes.h"
#include "kernels/layer_s8/dynamic_input_s8.h"

namespace micrort {
namespace {

size_t ElementBytes(const GroupedRows& rows) { return AlignUp(rows.rows * rows.depth(), kAlignment); }
size_t ScaleBytes(const GroupedRows& rows) {
  return AlignUp(rows.rows * rows.groups * sizeof(float), kAlignment);
}

struct Kernels {
  MinMaxF32Fn min_max;
  QuantizeS8Fn quantize;
};

void QuantizeRow(const GroupedRows& rows, const Kernels& kernels, const float* x, size_t row,
                 const GroupedInput& out) {
  int8_t* const y = out.x + row * rows.depth();
  for (size_t g = 0; g < rows.groups; ++g) {
    const size_t first = g * rows.group, left = rows.columns - first;
    const size_t n = left < rows.group ? left : rows.group;
    const QuantizationParams q = ChooseQuantization(kernels.min_max(x + first, n), true);
    kernels.quantize(x + first, y + first, n, q);
    std::memset(y + first + n, 0, rows.group - n);
    int32_t sum = 0;
    for (size_t i = first; i < first + n; ++i) sum += y[i];
    out.scales[row * rows.groups + g] = q.scale;
    out.sums[row * rows.groups + g] = sum;
  }
}

}  // namespace

GroupedInput::GroupedInput(const GroupedRows& rows, void* scratch) {
  auto* const bytes = static_cast<uint8_t*>(scratch);
  x = reinterpret_cast<int8_t*>(bytes);
  scales = reinterpret_cast<float*>(bytes + ElementBytes(rows));
  sums = reinterpret_cast<int32_t*>(bytes + ElementBytes(rows) + ScaleBytes(rows));
}

size_t GroupedInputBytes(const GroupedRows& rows) { return ElementBytes(rows) + 2 * ScaleBytes(rows); }

void PlanGroupedInput(CpuFeatures features, ConvPlan* plan) { PlanDynamicInput(features, plan); }

void QuantizeGroups(const GroupedRows& rows, const ConvPlan& plan, const float* x, const GroupedInput& out,
                    const Parallel& parallel) {
  const Kernels kernels = {VariantOf(MinMaxF32Kernels(), plan.min_max).run,
                           VariantOf(ConvertF32Kernels(), plan.convert).quantize_s8};
  const size_t at_once = rows.columns < kTaskRangeElements ? kTaskRangeElements / rows.columns : 1;
  ParallelFor(parallel, CeilDiv(rows.rows, at_once), [&](size_t task, int) {
    const size_t first = task * at_once, end = first + at_once < rows.rows ? first + at_once : rows.rows;
    for (size_t row = first; row < end; ++row) QuantizeRow(rows, kernels, x + row * rows.columns, row, out);
  });
}

}  // namespace micrort
