#pragma once
// ONNX's operators for formats whose operators mean the same: what becomes of them is then the same, too. The
// folder of ONNX has the function.

#include <string>
#include <variant>
#include <vector>

#include "converter/ir/build.h"

namespace micrort::frontend {

struct OnnxAttribute {
  std::string name;
  std::variant<int64_t, float, std::string, std::vector<int64_t>, std::vector<std::string>> value;
};

// Appends what the operator becomes, as of this version of ONNX, and returns its first `count` outputs.
// inputs: kNoValue where one is absent. No operator with graphs inside or on sequences.
Result<std::vector<ir::ValueId>> AddOnnxOperator(const std::string& op, int opset,
                                                 const std::vector<ir::ValueId>& inputs,
                                                 const std::vector<OnnxAttribute>& attributes,
                                                 ir::Builder& build, size_t count = 1);

}  // namespace micrort::frontend
