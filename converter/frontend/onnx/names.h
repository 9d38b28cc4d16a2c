#pragma once
// Names go into messages, files and JSON, so they must be text.

#include <onnx/onnx_pb.h>

#include <string>

#include "kernels/base/status.h"

namespace micrort::frontend {

// Well-formed UTF-8 without control characters.
bool IsText(const std::string& s);

// The name as it goes into a message: cut to 100 bytes, "?" if it is not text.
std::string Shown(const std::string& name);

// kInvalidModel if a name in the graph or in one inside it (of nodes, values, operators, attributes,
// dimensions) is not text.
Status CheckNames(const ::onnx::GraphProto& graph);
Status CheckNames(const ::onnx::FunctionProto& function);

}  // namespace micrort::frontend
