#pragma once
// Choosing among boxes.

#include "converter/ir/build.h"

namespace micrort::lower {

// Which of the boxes [n,4] (two corners, y first) with scores [n] are kept, best first: indices, int64, as
// many as there are. limits: at most how many, an int64; how much they may overlap, and the least score,
// which may be absent.
ir::ValueId KeptBoxes(ir::Builder& build, ir::ValueId boxes, ir::ValueId scores,
                      const std::vector<ir::ValueId>& limits);

// The same by soft suppression, which drops no box, and what the scores of those kept have become. The limits
// are all there, and its sigma behind them.
struct SoftlyKept {
  ir::ValueId boxes, scores;
};
SoftlyKept SoftlyKeptBoxes(ir::Builder& build, ir::ValueId boxes, ir::ValueId scores,
                           const std::vector<ir::ValueId>& limits);

// The first dimension filled up with zeros, or cut off, to `size`.
ir::ValueId FilledUp(ir::Builder& build, ir::ValueId x, int64_t size);

}  // namespace micrort::lower
