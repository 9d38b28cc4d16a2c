#pragma once
// Blocks of images that move into channels or into the batch, and back. Images are [N,spatial...,rest...] and
// may have open sizes.

#include <cstdint>
#include <vector>

#include "converter/ir/build.h"

namespace micrort::frontend {

// [N,H,W,b*b*C] → [N,H*b,W*b,C]: channels are block row, block column, channel. kUnsupported for an open
// number of channels.
Result<ir::ValueId> DepthToSpace(ir::Builder& build, ir::ValueId x, int64_t block);
// [N,H,W,C] → [N,H/b,W/b,b*b*C]
Result<ir::ValueId> SpaceToDepth(ir::Builder& build, ir::ValueId x, int64_t block);

// Block sizes, and begin and end of the padding, or of what is cut off, one a spatial dimension.
struct SpatialBlocks {
  std::vector<int64_t> sizes, begins, ends;
  ir::ValueId computed = ir::kNoValue;  // begins and ends, int64[count, 2], where the graph computes them

  size_t count() const { return sizes.size(); }
};
// Reads integers as operators have them: a size, and begin and end of each dimension. kInvalidModel unless x
// may have them.
Result<SpatialBlocks> ReadSpatialBlocks(const ir::Value& x, std::vector<int64_t> sizes,
                                        const std::vector<int64_t>& borders);
Result<SpatialBlocks> ReadSpatialBlocks(const ir::Value& x, std::vector<int64_t> sizes, ir::ValueId borders);
// The offset inside a block becomes the first part of the batch.
Result<ir::ValueId> SpaceToBatch(ir::Builder& build, ir::ValueId x, const SpatialBlocks& blocks);
Result<ir::ValueId> BatchToSpace(ir::Builder& build, ir::ValueId x, const SpatialBlocks& blocks);

}  // namespace micrort::frontend
