#pragma once

#include "kernels/winograd/winograd_tiles.h"

namespace micrort {

// Whether the packed weights stay in a cache while one block after another is multiplied by them.
bool HasNearWeights(const WinogradTiles& tiles, const ConvTarget& target);

// The cost of reading packed weights that often. Few weights often come from a cache at once.
double WinogradStreamingCost(const ConvTarget& target, const WinogradTiles& tiles, int64_t times);

// Tiles are cut into blocks: transform inputs, multiply, transform products. Either each worker takes whole
// blocks, or all work on one block after the other; in one dimension, on all tiles.
ConvBlocks CutWinograd(const Conv2DParams& p, const ConvTarget& target, const WinogradTiles& tiles);

}  // namespace micrort
