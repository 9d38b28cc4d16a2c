#pragma once
// LSTM layers whose outputs are projected, by layers without projection.
//
// With h the output before its projection P h, the gates see R (P h) = (R P) h: so the layer is one with R P,
// and its outputs are projected behind it, all steps at once.

#include <vector>

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

// Makes *r [4H,P] of every direction [4H,H]. The state before the first step is `h` [D,N,P], a projection of
// unknown outputs: unless it is zero, it joins x [T,N,I] and *w [4H,I] as P inputs more for each direction,
// which are zero in all steps but the first. `projections`: [P,H] of every direction; `lengths` [N], or
// kNoValue.
void FoldProjections(OpContext& c, const std::vector<ir::ValueId>& projections, ir::ValueId h,
                     ir::ValueId lengths, ir::ValueId* x, std::vector<ir::ValueId>* w,
                     std::vector<ir::ValueId>* r);

// y [T,D,N,H] or [D,N,H] by projections [D,P,H].
ir::ValueId Project(OpContext& c, ir::ValueId y, ir::ValueId projections);

}  // namespace micrort::frontend::torchscript
