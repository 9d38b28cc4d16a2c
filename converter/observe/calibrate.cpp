#include "converter/observe/calibrate.h"

#include "converter/observe/progress.h"

namespace micrort::observe {
namespace {

class Observers final : public OpObserver {
 public:
  Observers(RangeObserver* ranges, MomentObserver* moments) : ranges_(*ranges), moments_(*moments) {}
  void BeforeOp(const OpInfo& op) override {
    ranges_.BeforeOp(op);
    moments_.BeforeOp(op);
  }
  void AfterOp(const OpInfo& op) override { ranges_.AfterOp(op); }

 private:
  RangeObserver& ranges_;
  MomentObserver& moments_;
};

}  // namespace

Status Calibrate(const AlignedBytes& file, const std::vector<Sample>& samples, CpuFeatures features,
                 bool show_progress, CalibrationMethod method, const FilterWindows& windows,
                 Calibration* calibration) {
  RangeObserver ranges(method, {file.data(), file.size()});
  MomentObserver moments(windows, samples.size());
  Observers observer(&ranges, &moments);
  Runner runner;
  MICRORT_RETURN_IF_ERROR(runner.Load(file, features, &observer));
  Progress progress("calibrating", samples.size(), show_progress);
  for (const Sample& sample : samples) {
    MICRORT_RETURN_IF_ERROR(runner.Run(sample));
    ranges.EndSample();
    progress.Advance();
  }
  *calibration = ranges.calibration();
  calibration->moments = std::move(moments).moments();
  return Status();
}

}  // namespace micrort::observe
