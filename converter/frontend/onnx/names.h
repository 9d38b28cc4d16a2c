#pragma once
// Names in a model must be text.

#include <onnx/onnx_pb.h>

#include "converter/frontend/common/text.h"
#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

// kInvalidModel if a name in the graph or in one inside it (of nodes, values, operators, attributes,
// dimensions) is not text.
Status CheckNames(const ::onnx::GraphProto& graph);
Status CheckNames(const ::onnx::FunctionProto& function);

}  // namespace micrort::frontend::onnx
