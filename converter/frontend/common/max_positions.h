#pragma once
// Where the maxima of a max pooling come from.

#include <vector>

#include "converter/frontend/common/window.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

// For x [N,C,...], pooled to y [N,C,...] by windows with these axes, one per spatial dimension: the index in
// its image, by rows or by columns, of the first maximum of every window, int64 [N,C,windows]. kUnsupported
// unless images have fixed sizes that are not large.
Result<ir::ValueId> MaxPositions(ir::Builder& build, ir::ValueId x, ir::ValueId y,
                                 const std::vector<WindowAxis>& axes, bool column_major);

}  // namespace micrort::frontend
