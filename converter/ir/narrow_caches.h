#pragma once
// Caches of keys and values (keep_caches.h) that hold halves or int8 in place of floats.

#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// Caches of float32 become ones of `type`, float16 or int8 with a scale a row. Attention reads them as they
// are; other readers read floats that a ReadCache makes of the rows in use. For graphs in their final form,
// because passes know nothing of such rows. A note names caches that would be no smaller.
Status NarrowCaches(DType type, Graph* graph, std::vector<std::string>* notes);

}  // namespace micrort::ir
