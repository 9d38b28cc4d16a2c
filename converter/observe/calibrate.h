#pragma once

#include <vector>

#include "converter/observe/ranges.h"
#include "converter/observe/runner.h"

namespace micrort::observe {

// Runs a float model over the samples and tells the values of every tensor, and moments of `windows`.
Status Calibrate(const AlignedBytes& file, const std::vector<Sample>& samples, CpuFeatures features,
                 bool show_progress, CalibrationMethod method, const FilterWindows& windows,
                 Calibration* calibration);

}  // namespace micrort::observe
