#pragma once
// ModelProto from bytes, with the checks that do not need the operators.

#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <unordered_map>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

constexpr int kMinOnnxOpset = 1;
// Later ones are read as if they were this one: operators rarely change, but they do.
constexpr int kMaxOnnxOpset = 28;

struct OnnxModel {
  ::onnx::ModelProto proto;
  std::map<std::string, int> opsets;  // by domain; "" is ONNX's own

  // The opsets of nodes that come from a function with an opset of its own.
  std::unordered_map<const ::onnx::NodeProto*, int> node_opsets = {};

  int OpsetOf(const std::string& domain) const;  // 0 if the model does not import the domain
  int OpsetOf(const ::onnx::NodeProto& node) const;
};

// The name under which OnnxModel::opsets has a domain.
std::string CanonicalDomain(const std::string& domain);

using OpsetImports = ::google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>;
Status ReadOpsets(const OpsetImports& imports, std::map<std::string, int>* opsets);

// kInvalidModel if the bytes are no model, kUnsupported if its operator set is none.
Result<OnnxModel> ReadModel(Span<const uint8_t> bytes);

}  // namespace micrort::frontend::onnx
