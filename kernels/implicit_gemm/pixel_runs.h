#pragma once
// Layers of few channels read the taps of a filter's row as one tap of more channels, as neighbouring pixels
// are one run of memory (FillIndirectionOfRuns).

#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/gemm/depth_blocks.h"

namespace micrort {

// Copying pixels at the edge of the image must not cost much.
inline bool ReadsRuns(const Conv2DParams& p) {
  constexpr int64_t kMaxRunChannels = 8, kMaxRun = 64;
  return p.groups == 1 && !p.transposed && p.dilation_w == 1 && p.kernel_w > 1 && p.in_c <= kMaxRunChannels &&
         p.kernel_w * p.in_c <= kMaxRun;
}

// The depth as a layer's rows are read.
inline Depth DepthOf(const Conv2DParams& p) {
  if (ReadsRuns(p)) return {p.kernel_h, p.kernel_w * p.in_c};
  return {p.taps(), p.group_channels()};
}

}  // namespace micrort
