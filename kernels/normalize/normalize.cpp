#include "kernels/normalize/normalize.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/tiles.h"

namespace micrort {
namespace {

constexpr float kOne = 1.0f, kZero = 0.0f;

NormalizeTensors WithDefaults(const NormalizeTensors& t) {
  return {t.x, t.scale == nullptr ? &kOne : t.scale, t.bias == nullptr ? &kZero : t.bias, t.y};
}

// Adjacent elements are normalized together.
void NormalizeAdjacent(const NormalizeTask& task, const NormalizeTensors& t, const Parallel& parallel) {
  const NormalizePlan& plan = task.plan;
  const size_t n = plan.inner, rows = plan.outer * plan.kept;
  const size_t part = std::max<size_t>(1, kTaskElements / n);
  const NormalizeF32Kernel& kernel = VariantOf(NormalizeF32Kernels(), task.kernel);
  const bool alike = plan.scale.kept == 0 && plan.bias.kept == 0;
  ParallelFor(parallel, CeilDiv(rows, part), [&](size_t tile, int) {
    const size_t first = tile * part, last = std::min(rows, first + part);
    const size_t count = alike ? last - first : 1;
    for (size_t r = first; r < last; r += count) {
      const size_t kept = r % plan.kept;
      const NormalizeRowF32 row = {
          task.epsilon,     task.centered,  t.scale + kept * plan.scale.kept, t.bias + kept * plan.bias.kept,
          plan.scale.inner, plan.bias.inner};
      kernel.rows(row, t.x + r * n, t.y + r * n, count, n);
    }
  });
}

// Columns of one outer index: `groups` groups of `inner` columns are normalized, each over all rows.
class ColumnBlock {
 public:
  // mean, factor, bias: room for a float a column.
  ColumnBlock(const NormalizeTask& task, size_t groups, float* mean, float* factor, float* bias)
      : task_(task),
        plan_(task.plan),
        kernel_(VariantOf(NormalizeF32Kernels(), task.kernel)),
        fold_(VariantOf(FoldF32Kernels(), task.fold)),
        groups_(groups),
        mean_(mean),
        factor_(factor),
        bias_(bias) {}

  // x, y: at the first column of the first row; `first_group`: which group that is.
  void Run(const NormalizeTensors& t, size_t first_group, const float* x, float* y) {
    const size_t columns = groups_ * plan_.inner, stride = plan_.columns();
    std::fill_n(mean_, columns, 0.0f);
    if (task_.centered) {
      fold_.columns(FoldKind::kSum, nullptr, x, plan_.rows, stride, columns, mean_);
      AverageGroups(mean_);
    }
    std::fill_n(factor_, columns, 0.0f);
    kernel_.square_columns(mean_, x, plan_.rows, stride, columns, factor_);
    AverageGroups(factor_);
    ApplyScaleAndBias(t, first_group);
    kernel_.affine_columns({mean_, factor_, bias_}, x, y, plan_.rows, stride, columns);
  }

 private:
  // Sums of columns into means of groups, one a column.
  void AverageGroups(float* sums) const {
    const auto count = static_cast<float>(plan_.rows * plan_.inner);
    for (size_t g = 0; g < groups_; ++g) {
      float* const group = sums + g * plan_.inner;
      float sum = 0;
      for (size_t i = 0; i < plan_.inner; ++i) sum += group[i];
      std::fill_n(group, plan_.inner, sum / count);
    }
  }
  // Variances into factors.
  void ApplyScaleAndBias(const NormalizeTensors& t, size_t first_group) {
    for (size_t g = 0; g < groups_; ++g) {
      const float* scale = t.scale + (first_group + g) * plan_.scale.kept;
      const float* bias = t.bias + (first_group + g) * plan_.bias.kept;
      for (size_t i = 0; i < plan_.inner; ++i) {
        const size_t c = g * plan_.inner + i;
        const float inverse = 1.0f / std::sqrt(factor_[c] + task_.epsilon);
        factor_[c] = inverse * scale[i * plan_.scale.inner];
        bias_[c] = bias[i * plan_.bias.inner];
      }
    }
  }

  const NormalizeTask& task_;
  const NormalizePlan& plan_;
  const NormalizeF32Kernel& kernel_;
  const FoldF32Kernel& fold_;
  const size_t groups_;
  float* const mean_;
  float* const factor_;
  float* const bias_;
};

// Elements that are normalized together lie in several rows: whole vectors of columns at once.
void NormalizeColumns(const NormalizeTask& task, const NormalizeTensors& t, float* scratch,
                      const Parallel& parallel) {
  constexpr size_t kColumns = 64;  // of a block: four cache lines of each row
  const NormalizePlan& plan = task.plan;
  const size_t groups = CeilDiv(kColumns, plan.inner);
  const size_t blocks = CeilDiv(plan.kept, groups), all_columns = plan.outer * plan.columns();
  ParallelFor(parallel, plan.outer * blocks, [&](size_t tile, int) {
    const size_t outer = tile / blocks, group = tile % blocks * groups;
    const size_t column = group * plan.inner;
    float* const mean = scratch + outer * plan.columns() + column;
    ColumnBlock block(task, std::min(groups, plan.kept - group), mean, mean + all_columns,
                      mean + 2 * all_columns);
    const size_t first = outer * plan.rows * plan.columns() + column;
    block.Run(t, group, t.x + first, t.y + first);
  });
}

}  // namespace

size_t NormalizeScratchBytes(const NormalizePlan& plan) {
  return plan.rows <= 1 ? 0 : 3 * plan.outer * plan.columns() * sizeof(float);
}

void Normalize(const NormalizeTask& task, const NormalizeTensors& tensors, void* scratch,
               const Parallel& parallel) {
  MICRORT_DCHECK(IsAligned(scratch, alignof(float)));
  const NormalizePlan& plan = task.plan;
  if (plan.outer * plan.rows * plan.columns() == 0) return;
  const NormalizeTensors t = WithDefaults(tensors);
  if (plan.rows == 1) {
    NormalizeAdjacent(task, t, parallel);
  } else {
    NormalizeColumns(task, t, static_cast<float*>(scratch), parallel);
  }
}

}  // namespace micrort
