#pragma once
// LSTMs of int16 activations.

#include "converter/frontend/tflite/ops/lstm_layer.h"

namespace micrort::frontend::tflite {

// The layer as operators of int16, from the states and to them; *is_done is false, and nothing is added,
// where it is none of these: other types, scales that are no powers of two, peepholes, projections,
// normalized sums, and more steps than are put one behind another.
Status RunInt16Lstm(OpContext& c, const LstmInputs& inputs, const LstmOptions& options, bool time_major,
                    bool* is_done);

}  // namespace micrort::frontend::tflite
