#pragma once
// The range of a tensor that 256 levels represent best: what lies outside is clipped, what lies inside gets
// the finer steps. All ranges include 0.

#include "converter/observe/histogram.h"
#include "converter/observe/ranges.h"

namespace micrort::observe {

// Leaves out the 0.01 % largest and the 0.01 % smallest values.
Range PercentileRange(const Histogram& histogram, const Range& all);

// Least mean squared error: step^2 / 12 for values inside, the squared distance for clipped ones.
Range LeastSquaresRange(const Histogram& histogram, const Range& all);

// Least Kullback-Leibler divergence of the quantized distribution from the real one (S. Migacz, "8-bit
// inference with TensorRT", GTC 2017), both ends searched, as ranges are asymmetric here.
Range LeastDivergenceRange(const Histogram& histogram, const Range& all);

}  // namespace micrort::observe
