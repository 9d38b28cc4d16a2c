#pragma once
// Caches of keys and values that the interpreter keeps, and that runs append to in place.

#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// Each input, or part of one, that a Concat joins with new rows to an output, or a part of one, as `past` and
// `present` of a decoder, becomes a state with room for `capacity` rows, of float32; both are no input and
// output any more. Neither are attention_mask, of which all is seen, and inputs that nothing reads then.
// There is one sequence: the batch is 1. *notes tells what is gone, for the user. kUnsupported, naming
// values, where there are no such inputs, or one is used in other ways.
Status KeepCaches(int64_t capacity, Graph* graph, std::vector<std::string>* notes);

}  // namespace micrort::ir
