#pragma once
// The most multiply-adds that one core does, for comparing kernels against.

#include <cstdint>

namespace micrort::bench {

// Runs `iterations` rounds of independent fused multiply-adds in registers, as wide as the GEMM micro-kernels
// use them, and returns the number of multiply-adds. 0 if this CPU has no such instructions.
int64_t RunFma(int64_t iterations);

}  // namespace micrort::bench
