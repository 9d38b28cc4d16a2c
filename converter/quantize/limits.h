#pragma once
// Where int8 stops to pay.

#include <cstdint>

namespace micrort::quantize {

// Below this, int8 weights with a float scale a channel save less than half of the bytes.
constexpr int64_t kMinWeightsPerChannel = 4;

// Weights over the error of rounding them, in dB: below it, most of a channel's weights share the scale of a
// few far larger ones. Weights without outliers, in channels of up to thousands, keep over 40.
constexpr double kLeastWeightSnr = 36.0;

// Products per sum that int32 surely holds: 2^15 * 255 * 127 < 2^30, which leaves as much for the bias.
constexpr int64_t kMaxInt8Sum = int64_t{1} << 15;

// Finding the range of a float input and quantizing it costs about as much time as this many multiply-adds an
// element.
constexpr int64_t kMinWorkPerDynamicActivation = 16;

// The same for an input whose range is known beforehand.
constexpr int64_t kMinWorkPerStaticActivation = 8;

}  // namespace micrort::quantize
