#pragma once
// The equation of an Einsum, taken apart.

#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

// One label a dimension: a letter, or a digit for the dimensions that an ellipsis stands for, the last of
// which is 9. A label may appear twice in an input: its diagonal.
struct EinsumEquation {
  std::vector<std::string> inputs;
  std::string output;
};

// "ij,jk->ik", with "..." for any further dimensions; `ranks` are those of the inputs. Without "->", the
// output has the dimensions of the ellipsis, then the labels that appear once, in alphabetical order.
Status ParseEinsum(std::string text, const std::vector<int>& ranks, EinsumEquation* out);

}  // namespace micrort::frontend::onnx
