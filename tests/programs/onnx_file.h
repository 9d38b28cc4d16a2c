#pragma once
// ONNX files that tests make themselves.

#include <string>
#include <vector>

#include "onnx/onnx_pb.h"

namespace micrort::test {

// y = Relu(x), both float32[1,4]; opset 13.
onnx::ModelProto ReluModel();

// Appends a node with one input and one output.
void AddNode(onnx::ModelProto* model, const std::string& op, const std::string& name,
             const std::string& input, const std::string& output);

void WriteFile(const std::string& path, const std::string& bytes);
std::string ReadFile(const std::string& path);

}  // namespace micrort::test
