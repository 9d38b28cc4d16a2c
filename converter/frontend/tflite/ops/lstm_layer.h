#pragma once
// An LSTM as TFLite's operators state it: inputs 0 to 23, of which many may be absent.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

struct LstmGate {
  ir::ValueId weights = ir::kNoValue;    // [H,K], of the input
  ir::ValueId recurrent = ir::kNoValue;  // [H,P], of what the layer gave before
  ir::ValueId peephole = ir::kNoValue;   // [H], of the cell
  ir::ValueId bias = ir::kNoValue;       // [H]
  ir::ValueId norm = ir::kNoValue;       // [H]: sums are normalized over H, and multiplied by this
};

struct LstmLayer {
  LstmGate input, forget, cell, output;  // without weights of `input`, it is what the forget gate leaves
  ir::ValueId projection = ir::kNoValue, projection_bias = ir::kNoValue;
  int64_t hidden = 0;
  float cell_clip = 0, projection_clip = 0;
  fb::ActivationFunctionType activation = fb::ActivationFunctionType::Tanh;

  bool couples_gates() const { return input.weights == ir::kNoValue; }
  // Whether it needs nothing but what Recurrent has.
  bool IsPlain() const { return projection == ir::kNoValue && cell_clip == 0 && forget.norm == ir::kNoValue; }
};

// Reads inputs 1 to 17 and 20 to 23.
Status ReadLstm(OpContext& c, const fb::UnidirectionalSequenceLSTMOptionsT& options, LstmLayer* out);

struct LstmResult {
  ir::ValueId steps, last_output, last_cell;  // [T,N,P], [N,P], [N,H]
};

// x [T,N,K], from the given output and cell. By Recurrent, where the layer is plain.
Status RunLstm(OpContext& c, const LstmLayer& layer, ir::ValueId x, ir::ValueId output, ir::ValueId cell,
               LstmResult* result);
// Step after step; kUnsupported where their number is not fixed, or large.
Status UnrollLstm(OpContext& c, const LstmLayer& layer, ir::ValueId x, ir::ValueId output, ir::ValueId cell,
                  LstmResult* result);

}  // namespace micrort::frontend::tflite
