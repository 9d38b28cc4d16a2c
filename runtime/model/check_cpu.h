#pragma once

#include "kernels/base/cpu_features.h"
#include "kernels/base/status.h"

namespace micrort {

// kUnsupported unless there are the instruction sets that the build takes for granted
// (MICRORT_ISA_SCALAR=OFF).
Status CheckCpu(CpuFeatures available);

}  // namespace micrort
