#pragma once

#include <onnx/onnx_pb.h>

#include <string>

namespace micrort::frontend::onnx {

// Why `node` cannot read `name` where it stands: nothing computes it, a later node does, or a cycle.
std::string WhyUndefined(const ::onnx::GraphProto& graph, const ::onnx::NodeProto& node,
                         const std::string& name);

}  // namespace micrort::frontend::onnx
