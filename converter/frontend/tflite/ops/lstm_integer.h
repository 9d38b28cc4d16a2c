#pragma once
// LSTMs whose cell is int16: of int16 activations (16x8), and of int8 ones (8x8_16).

#include "converter/frontend/tflite/ops/lstm_layer.h"

namespace micrort::frontend::tflite {

// The layer as operators of integers, from the states and to them; *is_done is false, and nothing is added,
// where it is none of these: other types, scales that are no powers of two, peepholes, projections,
// and normalized sums.
Status RunIntegerLstm(OpContext& c, const LstmInputs& inputs, const LstmOptions& options, bool time_major,
                      bool* is_done);

}  // namespace micrort::frontend::tflite
