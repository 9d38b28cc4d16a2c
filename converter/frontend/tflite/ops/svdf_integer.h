#pragma once
// SVDF of int8 in integers.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// Inputs of the operator.
struct SvdfInputs {
  size_t x, feature_weights, time_weights, bias, state;
};
constexpr SvdfInputs kSvdf = {0, 1, 2, 3, 4};

// As TensorFlow Lite Micro's reference kernel computes it, with a state of int16 or int8; *is_done is false,
// and nothing is added, where types, scales or the activation are others.
Status RunIntegerSvdf(OpContext& c, const fb::SVDFOptionsT& options, bool* is_done);

}  // namespace micrort::frontend::tflite
