#pragma once
// Assembly of what GEMM's micro-kernels do to their sums.

// Four sums of register s, times the multipliers of another register, to the nearest integers, ties to even.
#define MICRORT_ROUND(s, multipliers)           \
  "scvtf v" #s ".4s, v" #s                      \
  ".4s\n"                                       \
  "fmul v" #s ".4s, v" #s ".4s, v" #multipliers \
  ".4s\n"                                       \
  "fcvtns v" #s ".4s, v" #s ".4s\n"
