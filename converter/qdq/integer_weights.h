#pragma once

#include <optional>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::qdq {

// The constant as the int8 that it was dequantized from, with one scale or one a slice along `channel_axis`.
// Zero points are 0 where the integers less their zero point fit. Nothing unless every element is exactly
// scale * (integer - zero point).
std::optional<ir::Value> WeightsAsGiven(const ir::Value& constant, int channel_axis);

// round(bias / (x_scale * weight scale)), or the integers that the bias was given as; nothing if one does not
// fit.
std::optional<std::vector<int32_t>> IntegerBias(const ir::Value& bias, float x_scale,
                                                const ir::Quantization& weights);

}  // namespace micrort::qdq
