#pragma once
// What an operator computes, seen from its importer: a graph of constants alone is folded as it is imported.

#include <string>
#include <vector>

#include "tests/converter/onnx_builder.h"

namespace micrort::testing {

// The elements of the graph's outputs, which become constants, as floats; a test failure unless they do.
std::vector<std::vector<float>> FoldedValues(const OnnxBuilder& builder);
// Those of "y", which becomes the graph's only output.
std::vector<float> FoldedY(OnnxBuilder& builder);

}  // namespace micrort::testing
