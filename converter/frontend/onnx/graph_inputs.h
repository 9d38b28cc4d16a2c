#pragma once
// What a graph declares about its inputs and outputs.

#include <onnx/onnx_pb.h>

#include "converter/frontend/frontend.h"

namespace micrort::frontend::onnx {

// Name, type and shape of an input; `position`: among the model's inputs.
Status ReadInput(const ::onnx::ValueInfoProto& info, const ImportOptions& options, size_t position,
                 ir::Value* out);

// Gives dynamic dimensions that have no name the one that the graph declares.
void NameDimensions(const ::onnx::ValueInfoProto& info, ir::Value* value);

}  // namespace micrort::frontend::onnx
