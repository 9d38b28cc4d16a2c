#pragma once
// An LSTM as TFLite's operators state it, with many inputs that may be absent.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

struct LstmGate {
  ir::ValueId weights = ir::kNoValue;    // [H,K], of the input
  ir::ValueId recurrent = ir::kNoValue;  // [H,P], of what the layer gave before
  ir::ValueId peephole = ir::kNoValue;   // [H], of the cell
  ir::ValueId bias = ir::kNoValue;       // [H]
  ir::ValueId norm = ir::kNoValue;       // [H]: sums are normalized over H, and multiplied by this
};

// Where an operator has the inputs of one direction: four in a row are those of the input, forget, cell and
// output gates, three in a row of all but the cell.
struct LstmInputs {
  size_t weights, recurrent, peephole, bias, projection, projection_bias, output_state, cell_state;
  size_t norm = 0, auxiliary = 0;  // weights of the auxiliary input; 0: the operator has none
};
constexpr LstmInputs kOneDirection = {1, 5, 9, 12, 16, 17, 18, 19, 20, 0};

struct LstmOptions {
  fb::ActivationFunctionType activation;
  float cell_clip, projection_clip;
  bool asymmetric;  // of hybrid layers
};

struct LstmLayer {
  LstmGate input, forget, cell, output;  // without weights of `input`, it is what the forget gate leaves
  ir::ValueId projection = ir::kNoValue, projection_bias = ir::kNoValue;
  int64_t hidden = 0;
  float cell_clip = 0, projection_clip = 0;
  fb::ActivationFunctionType activation = fb::ActivationFunctionType::Tanh;
  bool reverse = false;                                          // from the last step to the first
  schema::WeightCompute compute = schema::WeightCompute::Float;  // of all its products

  bool couples_gates() const { return input.weights == ir::kNoValue; }
  // Whether it needs nothing but what Recurrent has.
  bool IsPlain() const { return projection == ir::kNoValue && cell_clip == 0 && forget.norm == ir::kNoValue; }
};

// All but the states.
Status ReadLstm(OpContext& c, const LstmInputs& inputs, const LstmOptions& options, LstmLayer* out);

struct LstmResult {
  ir::ValueId steps, last_output, last_cell;  // [T,N,P], [N,P], [N,H]
};

// x [T,N,K], from the given output and cell. By Recurrent, where the layer is plain.
Status RunLstm(OpContext& c, const LstmLayer& layer, ir::ValueId x, ir::ValueId output, ir::ValueId cell,
               LstmResult* result);
// The same, from the variables that the states are, which have the last ones after it. *y [T,N,P].
Result<ir::ValueId> RunStatefulLstm(OpContext& c, const LstmLayer& layer, const LstmInputs& inputs,
                                    ir::ValueId x);
// The same by single operators, step after step, where the layer is not plain.
Status RunLstmSteps(OpContext& c, const LstmLayer& layer, ir::ValueId x, ir::ValueId output, ir::ValueId cell,
                    LstmResult* result);

// The layer as operators of integers, from the states and to them; *is_done is false, and nothing is added,
// where it is none of these: other types, scales that are no powers of two, peepholes, projections,
// and normalized sums.
Status RunIntegerLstm(OpContext& c, const LstmInputs& inputs, const LstmOptions& options, bool time_major,
                      bool* is_done);

}  // namespace micrort::frontend::tflite
