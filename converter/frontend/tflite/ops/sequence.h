#pragma once
// What layers over sequences share.

#include <memory>

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// [N,T,K] as [T,N,K], and back; what is time_major already stays.
ir::ValueId TimeFirst(OpContext& c, ir::ValueId x, bool time_major);

// kUnsupported for those that Recurrent does not have.
Result<std::unique_ptr<schema::RecurrentActivationT>> RecurrentActivationOf(fb::ActivationFunctionType fused);
std::unique_ptr<schema::RecurrentActivationT> RecurrentActivation(schema::UnaryKind kind, float a = 0,
                                                                  float b = 0);

}  // namespace micrort::frontend::tflite
