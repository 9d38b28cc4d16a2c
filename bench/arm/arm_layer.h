#pragma once
// Layers of two networks, and who computes them: this project's kernels, or XNNPACK's operators.

#include <memory>
#include <string>
#include <vector>

#include "bench/xnnpack_layers/layer.h"
#include "kernels/base/cpu_features.h"

namespace micrort::bench {

// Int8 has a scale a channel; bias and ReLU6 either way.
enum class Type { kFloat, kInt8 };

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

struct ArmLayerData {
  Floats x, weights, bias, y;
  std::vector<int8_t, CacheLines<int8_t>> x_s8, weights_s8, y_s8;
  std::vector<int32_t> bias_s8;
  std::vector<float> weight_scales;
};
// In and out of int8 layers.
constexpr float kInScale = 0.05f, kOutScale = 0.03f;
constexpr int kInZeroPoint = 3, kOutZeroPoint = -128;

ArmLayerData MakeArmData(const Layer& layer, Type type);

// The data outlives the runner. Null if the layer cannot be made. Creation packs the weights.
std::unique_ptr<Runner> MakeOurArmLayer(const Layer& layer, Type type, CpuFeatures features,
                                        ArmLayerData* data);
std::unique_ptr<Runner> MakeXnnpackArmLayer(const Layer& layer, Type type, ArmLayerData* data);

}  // namespace micrort::bench
