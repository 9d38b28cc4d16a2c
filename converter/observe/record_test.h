#pragma once

#include <vector>

#include "converter/emit/aligned_bytes.h"
#include "converter/observe/samples.h"
#include "kernels/base/cpu_features.h"
#include "tools/io/self_test.h"

namespace micrort::observe {

// Runs `file` on the first of the samples, which are in the order of its dimensions, and keeps inputs and
// outputs: enough to tell whether a device computes the same, and few enough not to make the file much
// larger.
Status RecordTest(const AlignedBytes& file, const std::vector<Sample>& samples, CpuFeatures features,
                  io::SelfTest* test);

}  // namespace micrort::observe
