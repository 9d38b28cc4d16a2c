#pragma once

#include "converter/ir/build.h"

namespace micrort::lower {

// Along `axis` of x, where the first `batch` dimensions of x and of the indices are the same: each item of
// the batch is read at the indices of its own. 0 < batch <= axis, batch <= rank of the indices.
ir::ValueId GatherInBatches(ir::Builder& build, ir::ValueId x, ir::ValueId indices, int axis, int batch);

}  // namespace micrort::lower
