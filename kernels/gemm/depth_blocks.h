#pragma once
// How the sum over taps and channels is cut into blocks.

#include <cstdint>

#include "kernels/base/checked_math.h"

namespace micrort {

struct Depth {
  int64_t taps, channels;  // the latter of each tap
};

// The largest part of it that is summed up at a time: several taps, or some channels of one.
inline Depth BlockOf(Depth depth, int64_t depth_block) {
  const int64_t blocks = CeilDiv(depth.taps * depth.channels, depth_block);
  if (depth.channels < depth_block || blocks == 1) {
    depth.taps = CeilDiv(depth.taps, blocks);
  } else {
    depth.taps = 1;
    depth.channels = CeilDiv(depth.channels, CeilDiv(depth.channels, depth_block));
  }
  return depth;
}

struct DepthBlock {
  int64_t first_tap, taps;
  int64_t first_channel, channels;
  bool first, last;
};

// In order. `block`: what BlockOf returned.
template <typename Visit>
void ForEachDepthBlock(const Depth& depth, const Depth& block, Visit visit) {
  for (int64_t tap = 0; tap < depth.taps; tap += block.taps) {
    for (int64_t channel = 0; channel < depth.channels; channel += block.channels) {
      const int64_t taps = depth.taps - tap, channels = depth.channels - channel;
      DepthBlock at = {tap, block.taps, channel, block.channels, tap == 0 && channel == 0, false};
      if (taps < at.taps) at.taps = taps;
      if (channels < at.channels) at.channels = channels;
      at.last = taps == at.taps && channels == at.channels;
      visit(at);
    }
  }
}

}  // namespace micrort
