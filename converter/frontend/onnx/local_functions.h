#pragma once
// Functions that a model defines itself (FunctionProto).

#include "converter/frontend/onnx/model_reader.h"

namespace micrort::frontend::onnx {

// Replaces every node that calls a function of the model by the nodes of the function, in the graph, in the
// graphs inside of nodes and in functions that call others. kInvalidModel if a function calls itself, or a
// call does not fit it; kUnsupported if the result would be huge.
Status InlineFunctions(OnnxModel* model);

}  // namespace micrort::frontend::onnx
