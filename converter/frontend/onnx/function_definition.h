#pragma once
// One function of a model: what a call has to fit, and what its nodes get from a call.

#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

struct FunctionDefinition {
  const ::onnx::FunctionProto* proto = nullptr;
  std::string key;
  std::map<std::string, int> opsets;             // by domain; "" is ONNX's own
  std::vector<::onnx::AttributeProto> defaults;  // attributes that a call may leave out
};

// What a function and its calls are matched by: domain, name and, from IR version 10 on, overload.
std::string FunctionKey(const ::onnx::NodeProto& call);

Status ReadFunction(const ::onnx::FunctionProto& proto, FunctionDefinition* out);

// kInvalidModel if the call has more inputs or outputs than the function, or an attribute that it has not.
Status CheckCall(const FunctionDefinition& function, const ::onnx::NodeProto& call);

// The bytes of what BindAttributes puts into a copy of `node`. No more is added up once they are over `most`.
size_t BoundBytes(const FunctionDefinition& function, const ::onnx::NodeProto& call,
                  const ::onnx::NodeProto& node, size_t most);

// Attributes of `node`, a copy from the function's body, that refer to those of the function become what the
// call says or the default; those that have neither are left out.
void BindAttributes(const FunctionDefinition& function, const ::onnx::NodeProto& call,
                    ::onnx::NodeProto* node);

}  // namespace micrort::frontend::onnx
