#pragma once

#include "kernels/winograd/winograd_tiles.h"

namespace micrort {

// A float layer as planned, by tiles of any m.
void RunWinograd(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                 const ConvTensors& tensors, const WinogradTiles& tiles, const Parallel& parallel);

}  // namespace micrort
