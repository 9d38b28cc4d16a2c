#pragma once
// ONNX models of tests, imported and run.

#include <map>
#include <string>

#include "tests/converter/graph_testing.h"
#include "tests/converter/onnx_builder.h"

namespace micrort::testing {

// Outputs by name. Fails the test, and gives none, where the model cannot be imported or run.
std::map<std::string, Floats> RunOnnx(const OnnxBuilder& builder,
                                      const std::map<std::string, Floats>& inputs = {});

}  // namespace micrort::testing
