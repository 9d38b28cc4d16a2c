#pragma once

#include "converter/ir/build.h"

namespace micrort::frontend {

// The maxima of the cells of a grid over each region, as Caffe, and ONNX after it, define them; 0 of cells
// without an element. image [N,C,H,W], regions [R,5]: item of the batch, x1, y1, x2, y2, in elements after
// times `scale`. Gives [R,C,rows,columns].
ir::ValueId MaxRoiPool(ir::Builder& build, ir::ValueId image, ir::ValueId regions, float scale,
                       int64_t rows_of_cells, int64_t columns_of_cells);

}  // namespace micrort::frontend
