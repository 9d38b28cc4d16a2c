#pragma once
// How nodes name what they read.

#include <string>

#include "kernels/base/status.h"

namespace micrort::frontend::tensorflow {

// "node", "node:1" and "^node" in a graph; "argument", "node:output:1" and "^node" in a function, where the
// output is named as the operator's definition does.
struct TensorRef {
  std::string node;
  std::string output;  // of functions; else ""
  int index = 0;
  bool is_control = false;  // only the order counts
};

// kInvalidModel if the text is none.
Result<TensorRef> ParseTensorRef(const std::string& text);

// The node that an input names, whatever else it says.
std::string NodeOf(const std::string& input);

// The index among all of the operator's outputs of the first tensor of the one with that name. 0 for
// operators with a single output, however it is called.
int FirstOfOutput(const std::string& op, const std::string& output);

}  // namespace micrort::frontend::tensorflow
