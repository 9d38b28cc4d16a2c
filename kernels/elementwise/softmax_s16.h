#pragma once
// Softmax of int16 in integers, as TensorFlow Lite's reference kernel for microcontrollers computes it: by
// tables of exp(x) and 1 / (1 + x), between whose numbers values lie on a line.

#include <cstddef>
#include <cstdint>

#include "kernels/base/fixed_point.h"
#include "kernels/base/parallel.h"

namespace micrort {

// Outputs have one scale, or one that is a thousandth off.
constexpr float kSoftmaxS16Scale = 1.0f / 32768, kSoftmaxS16Tolerance = 0.001f;
// Sums of exponentials have 32 bits.
constexpr size_t kMaxSoftmaxS16Row = UINT16_MAX;

struct SoftmaxS16Task {
  size_t rows, n;        // n <= kMaxSoftmaxS16Row
  FixedMultiplier x_by;  // makes differences of x the places of the exponential's table
};

SoftmaxS16Task PlanSoftmaxS16(size_t rows, size_t n, float x_scale);

// y may be x.
void SoftmaxS16(const SoftmaxS16Task& task, const int16_t* x, int16_t* y, const Parallel& parallel);

}  // namespace micrort
