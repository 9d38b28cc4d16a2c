#pragma once
// Choosing among boxes.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// Which of the boxes [n,4] (two corners, y first) with scores [n] are kept, best first: indices, int64, as
// many as there are, and at most `most`.
ir::ValueId KeptBoxes(OpContext& c, ir::ValueId boxes, ir::ValueId scores, int64_t most, ir::ValueId iou,
                      ir::ValueId least_score);

// The first dimension filled up with zeros, or cut off, to `size`.
ir::ValueId FilledUp(OpContext& c, ir::ValueId x, int64_t size);

}  // namespace micrort::frontend::tflite
