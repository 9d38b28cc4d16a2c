#pragma once
// What a graph declares about its inputs and outputs.

#include <onnx/onnx_pb.h>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

// Name, type and declared shape of an input.
Status ReadInput(const ::onnx::ValueInfoProto& info, ir::Value* out);

// Gives dynamic dimensions that have no name the one that the graph declares.
void NameDimensions(const ::onnx::ValueInfoProto& info, ir::Value* value);

}  // namespace micrort::frontend::onnx
