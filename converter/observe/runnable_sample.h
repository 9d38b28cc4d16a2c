#pragma once

#include "converter/emit/aligned_bytes.h"
#include "converter/observe/samples.h"
#include "kernels/base/cpu_features.h"

namespace micrort::observe {

// Seeded random inputs of sizes at which `file` runs: where dimensions are dynamic, several sizes are tried,
// 1 first. kInvalidArgument, asking for --input-shape, if it runs at none of them.
Status RunnableSample(const AlignedBytes& file, const std::vector<io::InputSpec>& inputs, uint64_t seed,
                      CpuFeatures features, Sample* sample);

}  // namespace micrort::observe
