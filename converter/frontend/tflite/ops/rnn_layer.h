#pragma once
// A layer whose units read what all of them gave a step before.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// Where an operator has the inputs of one direction. auxiliary: weights of the auxiliary input; 0: it has
// none.
struct RnnInputs {
  size_t weights, recurrent, bias, state, auxiliary;
};

struct RnnOptions {
  fb::ActivationFunctionType activation;
  bool asymmetric;  // of hybrid layers
  bool reverse = false;
};

// x [T,N,K], from the variable that the state is, which has the last output after it. *y [T,N,H].
Status RunStatefulRnn(OpContext& c, const RnnInputs& inputs, ir::ValueId x, const RnnOptions& stated,
                      ir::ValueId* y);

}  // namespace micrort::frontend::tflite
