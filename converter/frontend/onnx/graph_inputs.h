#pragma once
// What a graph declares about its inputs and outputs, and the shapes that the user gives instead.

#include <onnx/onnx_pb.h>

#include "converter/frontend/frontend.h"

namespace micrort::frontend {

// Name, type and shape of an input.
Status ReadInput(const ::onnx::ValueInfoProto& info, const ImportOptions& options, ir::Value* out);

// kInvalidArgument if the options give a shape to something that is no input.
Status CheckOverrides(const ir::Graph& graph, const ImportOptions& options);

// Gives dynamic dimensions that have no name the one that the graph declares.
void NameDimensions(const ::onnx::ValueInfoProto& info, ir::Value* value);

}  // namespace micrort::frontend
