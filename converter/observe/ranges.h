#pragma once
// What values activations take.

#include <cstddef>
#include <map>
#include <string>

#include "converter/observe/histogram.h"
#include "converter/observe/moments.h"
#include "micrort/micrort.h"

namespace micrort::observe {

// Smallest and largest value met; `finite` is false if a NaN or an infinity was.
struct Range {
  float min = 0.0f;
  float max = 0.0f;
  bool finite = true;
};

using Ranges = std::map<std::string, Range>;               // by value name
using Means = std::map<std::string, std::vector<double>>;  // by value name, along the last dimension

// How a tensor's range is told from the samples:
//   kMinMax         the smallest and the largest value of all
//   kMovingAverage  means of the samples' smallest and largest values; from the 100th sample on a new one
//   counts 1 % kPercentile, kMse, kKl  see clip_range.h
enum class CalibrationMethod { kMinMax, kMovingAverage, kPercentile, kMse, kKl };

struct Calibration {
  size_t samples = 0;
  Ranges ranges;             // as the method tells them
  Ranges extremes;           // all that was met
  Means means;               // of tensors of two dimensions or more
  MomentsByWeights moments;  // of what layers read, as far as asked for
  std::map<std::string, Histogram> histograms;
};

// Collects the ranges of all float32 tensors that operators read or write. Every range includes 0, which must
// be exactly representable once the tensor is quantized.
class RangeObserver final : public OpObserver {
 public:
  // What lies in `constants` never changes, and is looked at once.
  explicit RangeObserver(CalibrationMethod method, Span<const uint8_t> constants = {})
      : method_(method), constants_(constants) {}
  void BeforeOp(const OpInfo& op) override;
  void AfterOp(const OpInfo& op) override;
  // After the run on each sample.
  void EndSample();
  Calibration calibration() const;

 private:
  struct Tensor {
    bool written = false;   // by an operator, whose writing has been observed
    bool constant = false;  // and observed
    Range all, of_sample, average;
    Histogram histogram;
    std::vector<double> sums;  // along the last dimension
    double rows = 0.0;         // added to each sum
  };

  bool IsConstant(const TensorView& view) const;
  static void Observe(const TensorView& view, Tensor* tensor);
  static void AddRows(const TensorView& view, Tensor* tensor);
  Range RangeOf(const Tensor& tensor) const;

  CalibrationMethod method_;
  Span<const uint8_t> constants_;
  size_t samples_ = 0;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace micrort::observe
