#pragma once
// What operators on images of formats with channels first share: their windows, and the way into NHWC and
// back.

#include "converter/frontend/common/window.h"

namespace micrort::frontend {

// [N,C,H,W] or [N,C,L] → [N,H,W,C], where H = 1 for a sequence; [N,C,D,H,W] → [N,D,H,W,C] and so on.
ir::ValueId ToNhwc(ir::Builder& build, ir::ValueId x, int rank);
// [N,H,W,C] → [N,C,H,W], or [N,C,L] if `rank` is 3; [N,D,H,W,C] → [N,C,D,H,W] and so on.
ir::ValueId FromNhwc(ir::Builder& build, ir::ValueId y, int rank);

}  // namespace micrort::frontend
