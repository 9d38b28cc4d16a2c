#pragma once
// The most multiply-adds that one core does, for comparing kernels against.

#include <cstdint>

#include "kernels/base/cpu_features.h"

namespace micrort::bench {

// Runs `iterations` rounds of independent fused multiply-adds in registers, as wide as the GEMM micro-kernels
// for `features`, which this CPU has, use them, and returns the number of multiply-adds. 0 if these features
// have no such instructions.
int64_t RunFma(CpuFeatures features, int64_t iterations);

}  // namespace micrort::bench
