#pragma once
// Padding that mirrors a tensor with its border, which no mode of Pad does.

#include <cstdint>
#include <vector>

#include "converter/ir/build.h"

namespace micrort::frontend {

// pads: begin and end of each dimension. kInvalidModel for negative ones, or more than a fixed size has.
Status PadSymmetrically(ir::Builder& build, ir::ValueId x, const std::vector<int64_t>& pads, ir::ValueId* y);
// The same for pads that the graph computes, int64[rank, 2].
Status PadSymmetrically(ir::Builder& build, ir::ValueId x, ir::ValueId pads, ir::ValueId* y);

}  // namespace micrort::frontend
