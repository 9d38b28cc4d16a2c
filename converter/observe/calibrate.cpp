#include "converter/observe/calibrate.h"

#include "converter/observe/progress.h"

namespace micrort::observe {

Status Calibrate(const AlignedBytes& file, const std::vector<Sample>& samples, CpuFeatures features,
                 bool show_progress, CalibrationMethod method, Calibration* calibration) {
  RangeObserver observer(method);
  Runner runner;
  MICRORT_RETURN_IF_ERROR(runner.Load(file, features, &observer));
  Progress progress("calibrating", samples.size(), show_progress);
  for (const Sample& sample : samples) {
    MICRORT_RETURN_IF_ERROR(runner.Run(sample));
    observer.EndSample();
    progress.Advance();
  }
  *calibration = observer.calibration();
  return Status();
}

}  // namespace micrort::observe
