#pragma once
// Padding that mirrors a tensor with its border, which no mode of Pad does.

#include <cstdint>
#include <vector>

#include "converter/ir/build.h"

namespace micrort::frontend {

// pads: begin and end of each dimension. kInvalidModel for negative ones, or more than a fixed size has.
Result<ir::ValueId> PadSymmetrically(ir::Builder& build, ir::ValueId x, const std::vector<int64_t>& pads);
// The same for pads that the graph computes, int64[rank, 2].
Result<ir::ValueId> PadSymmetrically(ir::Builder& build, ir::ValueId x, ir::ValueId pads);

}  // namespace micrort::frontend
