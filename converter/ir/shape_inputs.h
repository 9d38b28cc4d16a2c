#pragma once

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// Marks the graph inputs whose values decide shapes that nothing bounds, by way of any nodes: those must be
// known when memory is planned. kUnsupported if a shape follows from more values than can be known then.
//   is_as_imported: nothing has changed the graph since its importer inferred it. Where all sizes are numbers
//     then, nothing has to be inferred again.
Status MarkShapeInputs(Graph& graph, bool is_as_imported);

}  // namespace micrort::ir
