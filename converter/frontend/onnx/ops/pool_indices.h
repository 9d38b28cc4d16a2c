#pragma once
// The second output of MaxPool: where the maxima come from.

#include "converter/frontend/onnx/ops/image.h"

namespace micrort::frontend::onnx {

// For every element of y, the pooled input 0 of the node, the index of its maximum in the whole input
// (int64): row-major or, if `column_major`, with each image in column-major order. Of equal elements the
// first counts. kUnsupported unless the images have a fixed size.
Status PoolIndices(NodeContext& c, const Window& window, bool column_major, ir::ValueId y,
                   ir::ValueId* indices);

}  // namespace micrort::frontend::onnx
