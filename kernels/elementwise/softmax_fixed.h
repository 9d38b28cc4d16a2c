#pragma once
// Softmax of int8 in integers, as TensorFlow Lite's reference kernel for microcontrollers computes it.

#include <cstddef>
#include <cstdint>

#include "kernels/base/fixed_point.h"
#include "kernels/base/parallel.h"

namespace micrort {

// Outputs have one scale and zero point.
constexpr float kSoftmaxFixedScale = 1.0f / 256;
constexpr int32_t kSoftmaxFixedZeroPoint = -128;
// The quotients of longer rows may be shifted by more than 31 bits.
constexpr size_t kMaxSoftmaxFixedRow = 511;

struct SoftmaxFixedTask {
  size_t rows, n;        // n <= kMaxSoftmaxFixedRow
  FixedMultiplier x_by;  // makes differences of x numbers with 26 bits behind the point; shift >= 0
  int32_t lowest;        // differences below it count as minus infinity
};

SoftmaxFixedTask PlanSoftmaxFixed(size_t rows, size_t n, float x_scale);

// y may be x.
void SoftmaxFixed(const SoftmaxFixedTask& task, const int8_t* x, int8_t* y, const Parallel& parallel);

}  // namespace micrort
