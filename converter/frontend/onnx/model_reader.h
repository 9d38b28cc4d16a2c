#pragma once
// ModelProto from bytes, with the checks that do not need the operators.

#include <onnx/onnx_pb.h>

#include <map>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

constexpr int kMinOnnxOpset = 6;
constexpr int kMaxOnnxOpset = 24;

struct OnnxModel {
  ::onnx::ModelProto proto;
  std::map<std::string, int> opsets;  // by domain; "" is ONNX's own

  int OpsetOf(const std::string& domain) const;  // 0 if the model does not import the domain
};

// kInvalidModel if the bytes are no model, kUnsupported if its operator set is outside what we know.
Status ReadModel(Span<const uint8_t> bytes, OnnxModel* out);

}  // namespace micrort::frontend
