#pragma once

#include "kernels/winograd/winograd_tiles.h"

namespace micrort {

// A layer as planned, by tiles of any m: blocks of them one after the other, or each by one worker.
void RunWinograd(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                 const ConvTensors& tensors, int m, const Parallel& parallel);

// What `run` needs.
uint64_t WinogradScratchBytes(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan, int m);

}  // namespace micrort
