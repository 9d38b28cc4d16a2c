#pragma once

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// MarkShapeInputs, but where that would ask for the values of a picture or recording, or is not possible at
// all, sizes that data decide are bounded first, as far as the numbers that decide them are: a box that was
// clipped to the picture is no larger than that. kUnsupported, with the tensors that --max-size could bound,
// where neither will do.
Status MarkOrBoundSizes(Graph& graph, bool is_as_imported);

}  // namespace micrort::ir
