#pragma once
// Nodes of domains that the user calls their own (mnnconvert --custom-domain).

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_map>

#include "kernels/base/status.h"
#include "schema/micrort_generated.h"

namespace micrort::frontend::onnx {

// What a graph states of its values: inputs, outputs and those between.
class StatedTypes {
 public:
  explicit StatedTypes(const ::onnx::GraphProto& graph);
  const ::onnx::TypeProto::Tensor* Find(const std::string& name) const;  // null if nothing is stated

 private:
  std::unordered_map<std::string, const ::onnx::TypeProto::Tensor*> types_;
};

// kUnsupported for attributes that are no numbers or texts.
Status CustomOptionsOf(const ::onnx::NodeProto& node, const StatedTypes& types,
                       schema::CustomOptionsT* options);

}  // namespace micrort::frontend::onnx
