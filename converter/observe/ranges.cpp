#include "converter/observe/ranges.h"

#include <algorithm>
#include <cmath>

#include "converter/observe/clip_range.h"
#include "converter/simd/floats.h"

namespace micrort::observe {
namespace {

constexpr float kLeastWeight = 0.01f;  // of a new sample in the moving average

bool IsFloats(const TensorView& view) { return view.data != nullptr && view.dtype == DType::kFloat32; }

Range RangeOf(const float* x, size_t n) {
  simd::Floats low = {}, high = {};
  simd::Floats poison = {};  // becomes NaN with the first value that is not finite
  const auto add = [&](simd::Floats values) {
    low = simd::Min(low, values);
    high = simd::Max(high, values);
    poison += values * 0.0f;
  };
  size_t i = 0;
  for (; i + simd::kFloats <= n; i += simd::kFloats) add(simd::Load(x + i));
  for (; i < n; ++i) add(simd::Floats{x[i]});
  Range range;
  for (i = 0; i < simd::kFloats; ++i) {
    range.min = std::min(range.min, low[i]);
    range.max = std::max(range.max, high[i]);
    range.finite = range.finite && !std::isnan(poison[i]);
  }
  return range;
}

void Include(const Range& more, Range* range) {
  *range = {std::min(range->min, more.min), std::max(range->max, more.max), range->finite && more.finite};
}

}  // namespace

// Observes those of an operator's inputs that no operator writes: the graph's, and constants, which do not
// change.
void RangeObserver::BeforeOp(const OpInfo& op) {
  for (const TensorView& view : op.inputs) {
    if (!IsFloats(view)) continue;
    Tensor& tensor = tensors_[view.name];
    if (tensor.written || tensor.constant) continue;
    Observe(view, &tensor);
    tensor.constant = IsConstant(view);
  }
}

bool RangeObserver::IsConstant(const TensorView& view) const {
  const auto address = reinterpret_cast<uintptr_t>(view.data);
  const auto first = reinterpret_cast<uintptr_t>(constants_.data());
  return address >= first && address - first < constants_.size();
}

void RangeObserver::AfterOp(const OpInfo& op) {
  for (const TensorView& view : op.outputs) {
    if (!IsFloats(view)) continue;
    Tensor& tensor = tensors_[view.name];
    tensor.written = true;
    Observe(view, &tensor);
  }
}

void RangeObserver::Observe(const TensorView& view, Tensor* tensor) {
  const float* x = view.as<float>();
  const Range range = observe::RangeOf(x, view.elements());
  Include(range, &tensor->all);
  Include(range, &tensor->of_sample);
  if (!range.finite) return;
  tensor->histogram.Add(x, view.elements(), range.min, range.max);
  AddRows(view, tensor);
}

void RangeObserver::AddRows(const TensorView& view, Tensor* tensor) {
  if (view.shape.rank < 2 || view.elements() == 0) return;
  const auto channels = static_cast<size_t>(view.shape[view.shape.rank - 1]);
  tensor->sums.resize(std::max(tensor->sums.size(), channels));
  const float* x = view.as<float>();
  for (size_t i = 0; i < view.elements(); i += channels) {
    for (size_t c = 0; c < channels; ++c) tensor->sums[c] += static_cast<double>(x[i + c]);
  }
  tensor->rows += static_cast<double>(view.elements() / channels);
}

void RangeObserver::EndSample() {
  ++samples_;
  const float weight = std::max(kLeastWeight, 1.0f / static_cast<float>(samples_));
  for (auto& [name, tensor] : tensors_) {
    if (tensor.constant) {
      tensor.average = tensor.all;
      continue;
    }
    tensor.average.min += (tensor.of_sample.min - tensor.average.min) * weight;
    tensor.average.max += (tensor.of_sample.max - tensor.average.max) * weight;
    tensor.of_sample = Range();
  }
}

Range RangeObserver::RangeOf(const Tensor& tensor) const {
  switch (method_) {
    case CalibrationMethod::kMinMax:
      return tensor.all;
    case CalibrationMethod::kMovingAverage:
      return {tensor.average.min, tensor.average.max, tensor.all.finite};
    case CalibrationMethod::kPercentile:
      return PercentileRange(tensor.histogram, tensor.all);
    case CalibrationMethod::kMse:
      return LeastSquaresRange(tensor.histogram, tensor.all);
    case CalibrationMethod::kKl:
      return LeastDivergenceRange(tensor.histogram, tensor.all);
  }
  return tensor.all;
}

Calibration RangeObserver::calibration() const {
  Calibration calibration;
  calibration.samples = samples_;
  for (const auto& [name, tensor] : tensors_) {
    calibration.ranges[name] = RangeOf(tensor);
    calibration.extremes[name] = tensor.all;
    calibration.histograms[name] = tensor.histogram;
    if (tensor.rows == 0.0) continue;
    std::vector<double>& means = calibration.means[name];
    for (const double sum : tensor.sums) means.push_back(sum / tensor.rows);
  }
  return calibration;
}

}  // namespace micrort::observe
