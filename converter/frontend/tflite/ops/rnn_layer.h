#pragma once
// Layers over sequences, and one whose units read what all of them gave a step before.

#include <memory>

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

// [N,T,K] as [T,N,K], and back; what is time_major already stays.
ir::ValueId TimeFirst(OpContext& c, ir::ValueId x, bool time_major);

// kUnsupported for those that Recurrent does not have.
Result<std::unique_ptr<schema::RecurrentActivationT>> RecurrentActivationOf(fb::ActivationFunctionType fused);
std::unique_ptr<schema::RecurrentActivationT> RecurrentActivation(schema::UnaryKind kind, float a = 0,
                                                                  float b = 0);

}  // namespace micrort::frontend::tflite
