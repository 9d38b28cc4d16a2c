#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

// Makes `names` the graph's outputs and drops the nodes that these do not need, supported or not; without
// names nothing changes. kInvalidArgument if the graph has no such value, or one is named twice.
Status KeepOutputs(const std::vector<std::string>& names, ::onnx::GraphProto* graph);

}  // namespace micrort::frontend::onnx
