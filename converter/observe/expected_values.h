#pragma once
// What another program computed with the source model on the samples: mnnconvert --expect.

#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::observe {

struct ExpectedTensor {
  std::string name;                         // in the source model
  std::vector<std::vector<float>> samples;  // elements in the source model's order, integers dequantized
};

// Each of `arguments` is NAME=FILE, for any tensor that `source` computes; a FILE alone is for the only
// output, or an .npz with members of tensors' names. Errors: kIo; kInvalidArgument, naming tensor or file,
// for unknown names, shapes that do not fit, and other than `samples` samples. `files` gets what was read.
Status LoadExpected(const std::vector<std::string>& arguments, const ir::Graph& source, size_t samples,
                    std::vector<ExpectedTensor>* expected, std::vector<std::string>* files);

}  // namespace micrort::observe
