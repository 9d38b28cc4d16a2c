#include "converter/observe/ranges.h"

#include <algorithm>
#include <cmath>

namespace micrort::observe {
namespace {

void Include(const float* x, size_t n, Range* range) {
  float low = range->min, high = range->max;
  float poison = 0.0f;  // becomes NaN with the first value that is not finite
  for (size_t i = 0; i < n; ++i) {
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
    poison += x[i] * 0.0f;
  }
  *range = {low, high, range->finite && !std::isnan(poison)};
}

}  // namespace

// Inputs too: no operator writes those of the graph.
void RangeObserver::BeforeOp(const OpInfo& op) { Observe(op.inputs); }
void RangeObserver::AfterOp(const OpInfo& op) { Observe(op.outputs); }

void RangeObserver::Observe(Span<const TensorView> tensors) {
  for (const TensorView& tensor : tensors) {
    if (tensor.data == nullptr || tensor.dtype != DType::kFloat32) continue;
    Include(tensor.as<float>(), tensor.elements(), &ranges_[tensor.name]);
  }
}

}  // namespace micrort::observe
