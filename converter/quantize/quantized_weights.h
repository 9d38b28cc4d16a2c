#pragma once
// Constants in fewer bits.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/quantize/gptq.h"
#include "converter/quantize/ptq_correction.h"

namespace micrort::quantize {

// Scales below this are raised to it, so that products of two scales stay normal floats.
constexpr float kMinScale = 1e-12f;

// The largest of `largest` and the absolute values of x.
float LargestOf(const float* x, size_t n, float largest);

// The largest absolute value of each slice along `axis`; float32 constants.
std::vector<float> LargestPerChannel(const ir::Value& constant, int axis);

// Why int8 cannot hold weights, float32 constants; "" if it can. A channel that is small beside others
// becomes 0.
std::string WhyNoScales(const ir::Value& weights);

// Symmetric int8 in [-127, 127], round half to even: value = scales[channel] * q.
ir::Value QuantizePerChannel(const ir::Value& constant, int axis, const std::vector<float>& scales);

// The same, and then `adjust` may move the integers. It sees channels one after the other, each with its
// elements in the order in which they lie.
ir::Value QuantizeAdjusted(const ir::Value& constant, int axis, const std::vector<float>& scales,
                           const std::function<void(const RoundedLayer&)>& adjust);

// scales[i] = largest[i] / 127.
std::vector<float> SymmetricScales(const std::vector<float>& largest);

// The scales with the least squared error of rounding and clipping, a channel each; never above
// SymmetricScales.
std::vector<float> LeastSquaresScales(const ir::Value& constant, int axis);

// One or the other, as `correction` asks.
std::vector<float> WeightScales(const ir::Value& constant, int axis, const PtqCorrection& correction);

// The constant over the error of QuantizePerChannel, in dB; infinite where nothing is lost.
double Int8WeightSnr(const ir::Value& constant, int axis, const std::vector<float>& scales);

// The constant as float16; nothing if an element is too large for it.
std::optional<ir::Value> ToHalf(const ir::Value& constant);

}  // namespace micrort::quantize
