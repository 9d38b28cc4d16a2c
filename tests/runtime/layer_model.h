#pragma once
// A convolution that several algorithms can compute, as a model and the interpreters of it.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "micrort/micrort.h"
#include "tests/runtime/model_builder.h"

namespace micrort::testing {

constexpr int32_t kLayerSize = 20, kLayerChannels = 32;

// 3x3 over [1, 20, 20, 32] with padding 1.
inline ModelBuilder LayerModel() {
  ModelBuilder b;
  const std::vector<int32_t> shape = {1, kLayerSize, kLayerSize, kLayerChannels};
  std::vector<float> weights(size_t{kLayerChannels} * 9 * kLayerChannels);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = std::sin(static_cast<float>(i));
  const int x = b.Input("x", DType::kFloat32, shape);
  const int w = b.Constant<float>("w", {kLayerChannels, 3, 3, kLayerChannels}, weights);
  const int y = b.Tensor("y", DType::kFloat32, shape);
  schema::Conv2DOptionsT options;
  options.pad_top = options.pad_left = options.pad_bottom = options.pad_right = 1;
  b.Node(options, {x, w}, {y}, "layer");
  b.Output(y);
  return b;
}

// Takes the algorithm whose name begins so, and keeps what it was asked.
class NamedChooser final : public AlgorithmChooser {
 public:
  explicit NamedChooser(std::string prefix) : prefix_(std::move(prefix)) {}
  Status Choose(const LayerAlgorithms& layer, size_t* choice) const override {
    question = layer;
    infos.assign(layer.algorithms.begin(), layer.algorithms.end());
    for (size_t i = 0; i < infos.size(); ++i) {
      if (std::string(infos[i].name).rfind(prefix_, 0) == 0) *choice = i;
    }
    return Status();
  }
  mutable LayerAlgorithms question;
  mutable std::vector<AlgorithmInfo> infos;

 private:
  const std::string prefix_;
};

// The algorithm that ran.
class AlgorithmObserver final : public OpObserver {
 public:
  void BeforeOp(const OpInfo& op) override {
    algorithm = op.algorithm;
    layer = op.layer;
  }
  std::string algorithm;
  uint64_t layer = 0;
};

}  // namespace micrort::testing
