#pragma once
// The activation functions that ONNX's recurrent layers name.

#include <memory>

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

using RecurrentActivations = std::vector<std::unique_ptr<schema::RecurrentActivationT>>;

// Reads `activations`, `activation_alpha` and `activation_beta`: as many functions as `defaults`, which are
// used where the node names none, for each of `directions`.
Status ReadRecurrentActivations(NodeContext& c, const std::vector<std::string>& defaults, size_t directions,
                                std::vector<RecurrentActivations>* out);

}  // namespace micrort::frontend::onnx
