#pragma once

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// Input i as the real numbers that a layer adds; kNoValue if it is absent. Sums of products without a
// quantization of their own have the scales of the layer's input times those of its weights.
Result<ir::ValueId> ReadBias(OpContext& c, size_t i, size_t x, size_t weights);

}  // namespace micrort::frontend::tflite
