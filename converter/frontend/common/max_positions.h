#pragma once
// Maxima of regions, and where the maxima of a pooling come from.

#include <vector>

#include "converter/frontend/common/window.h"
#include "converter/ir/build.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

// For x [N,C,...], pooled to y [N,C,...] by windows with these axes, one per spatial dimension: the index in
// its image, by rows or by columns, of the first maximum of every window, int64 [N,C,windows]. kUnsupported
// unless images have fixed sizes that are not large.
Result<ir::ValueId> MaxPositions(ir::Builder& build, ir::ValueId x, ir::ValueId y,
                                 const std::vector<WindowAxis>& axes, bool column_major);

// The maxima of the cells of a grid over each region, as Caffe, and ONNX after it, define them; 0 of cells
// without an element. image [N,C,H,W], regions [R,5]: item of the batch, x1, y1, x2, y2, in elements after
// times `scale`. Gives [R,C,rows,columns].
ir::ValueId MaxRoiPool(ir::Builder& build, ir::ValueId image, ir::ValueId regions, float scale,
                       int64_t rows_of_cells, int64_t columns_of_cells);

}  // namespace micrort::frontend
