#pragma once
// Convolutions of volumes [N,D,H,W,C].

#include "converter/frontend/tflite/ops/window.h"

namespace micrort::frontend::tflite {

// x by weights [KD,KH,KW,C/groups,O], plus bias [O], which may be kNoValue. The window has three axes. The
// depth of x is fixed.
Status ConvolveVolume(OpContext& c, ir::ValueId x, ir::ValueId weights, ir::ValueId bias,
                      const Window& window, int32_t groups, ir::ValueId* y);

}  // namespace micrort::frontend::tflite
