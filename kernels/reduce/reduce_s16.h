#pragma once
// Sums and means of int16 in integers, as TensorFlow Lite's reference_ops::QuantizedMeanOrSum computes them
// with sums of 32 bits, for microcontrollers and elsewhere.

#include <cstddef>
#include <cstdint>

#include "kernels/base/fixed_point.h"
#include "kernels/base/parallel.h"
#include "kernels/reduce/reduce_kind.h"
#include "kernels/reduce/reduce_plan.h"

namespace micrort {

// Sums of so many elements do not overflow.
constexpr size_t kMaxReduceS16Elements = 65536;

// What the sum of `elements` elements of x_scale is multiplied by to give an output of y_scale. False for
// other kinds than kSum and kMean, and for too many elements.
bool PlanReduceS16(ReduceKind kind, size_t elements, float x_scale, float y_scale, FixedMultiplier* by);

// Products are rounded twice (kernels/base/fixed_point.h) and saturated; without elements they are 0.
void ReduceS16(const ReducePlan& plan, FixedMultiplier by, const int16_t* x, int16_t* y,
               const Parallel& parallel);

}  // namespace micrort
