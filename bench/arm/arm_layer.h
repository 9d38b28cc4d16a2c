#pragma once
// Layers of two networks.

#include <cstdint>
#include <vector>

#include "bench/xnnpack_layers/layer.h"

namespace micrort::bench {

struct ArmLayer {
  Layer layer;
  int mobilenet_v1, resnet50;  // how often the networks have it

  // Multiply-accumulates.
  uint64_t macs() const {
    const auto pixels = static_cast<uint64_t>(layer.out_height()) * static_cast<uint64_t>(layer.out_width());
    return pixels * layer.weights();
  }
};

// Those of mobilenet_v1 and resnet50, and a few more.
std::vector<ArmLayer> ArmLayers();

}  // namespace micrort::bench
