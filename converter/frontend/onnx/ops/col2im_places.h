#pragma once
// Blocks added up in an image whose size only a run, or the values of an input, tell.

#include <vector>

#include "converter/ir/build.h"

namespace micrort::frontend::onnx {

// The blocks along one dimension of the image.
struct BlockAxis {
  int64_t block = 0, dilation = 1, pad = 0, pad_end = 0, stride = 1;

  // Of the dimension, so that one block fits.
  int64_t least_image() const { return dilation * (block - 1) + 1 - pad - pad_end; }
};

// columns [N, C * elements of a block, blocks], image_size [axes], int64 → [N, C, image_size...]. `zero`: of
// the type of columns.
ir::ValueId AddUpBlocks(ir::Builder& b, ir::ValueId columns, ir::ValueId image_size,
                        const std::vector<BlockAxis>& axes, ir::ValueId zero);

}  // namespace micrort::frontend::onnx
