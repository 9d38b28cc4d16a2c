#pragma once
// What the operators with weights have in common: Conv2D, DepthwiseConv2D, ConvTranspose2D, MatMul and
// Recurrent, whose weights may be stored as int8, but always compute in float.

#include <optional>

#include "converter/ir/graph.h"
#include "runtime/ops/op_traits.h"

namespace micrort::quantize {

struct Layer {
  // Positions among the node's inputs.
  static constexpr size_t kX = kLayerX, kWeights = kLayerWeights, kBias = kLayerBias,
                          kResidual = kLayerResidual, kSlopes = kLayerSlopes;

  ir::ValueId weights = ir::kNoValue;
  size_t place = kWeights;     // of the weights among the node's inputs
  int channel_axis = 0;        // of the weights: one entry an output channel
  int64_t channels = 0;        // weights' length along that axis
  int64_t input_channels = 0;  // last dimension of x; 1 where it is dynamic
  int64_t weights_per_channel = 0;
  int64_t multiply_adds = 0;  // of one run; dynamic dimensions count as 1
  int64_t activations = 0;    // elements of x and of the output; dynamic dimensions count as 1
};

// Nothing unless the node is one of those operators with constant float32 weights and, if any, constant
// float32 bias.
std::optional<Layer> DescribeLayer(const ir::Graph& graph, const ir::Node& node);

// A layer's weights along their last dimension: one element or more. Element i of a run belongs to output
// channel `channel` + i * channel_step and is multiplied by channel `input` + i * input_step / input_divisor
// of x.
struct WeightRun {
  size_t first, length;  // elements of the weights
  size_t channel, channel_step;
  size_t input, input_step, input_divisor;
};

class WeightRuns {
 public:
  // Not of Recurrent.
  WeightRuns(const ir::Node& node, const ir::Value& weights, const Layer& layer);

  size_t size() const { return runs_; }
  WeightRun run(size_t i) const;

 private:
  bool is_product_ = false;
  size_t runs_, length_, inner_ = 1, channels_, channel_step_;
  size_t input_step_ = 1, input_divisor_ = 1, inputs_, weights_per_channel_, channels_in_group_ = 1;
};

// How a node of such an operator computes with narrow weights.
void SetWeightCompute(ir::Node* node, schema::WeightCompute compute);

// Whether it quantizes float activations as it runs.
bool RoundsActivations(const ir::Node& node);

// Elements of a value; dynamic dimensions count as 1.
int64_t TypicalElements(const ir::Value& value);

}  // namespace micrort::quantize
