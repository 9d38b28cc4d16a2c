#pragma once
// What is done against the error of weights beside choosing their scales.

#include <vector>

#include "converter/ir/graph.h"
#include "converter/observe/moments.h"
#include "converter/quantize/gptq.h"
#include "converter/quantize/ptq_correction.h"
#include "converter/quantize/stored_weights.h"

namespace micrort::quantize {

struct WeightCorrection {
  PtqCorrection correction;
  const observe::MomentsByWeights* moments = nullptr;  // of what the graph's layers read; null: unknown
  bool dynamic_inputs = false;      // layers with integers quantize their inputs as they run, where that pays
  bool integers_only = false;       // the device has no layers of floats: int8 even where that does not pay
  StoredWeights* stored = nullptr;  // of the graph
  bool given_only = false;          // no int4 but those that the source gives
};

// Null if they are unknown for a layer with these weights.
const observe::InputMoments* MomentsFor(const WeightCorrection& tools, const ir::Value& weights);

// Moves integers that were rounded to nearest. Returns what the bias is to take off, a channel each, or
// nothing.
std::vector<double> AdjustWeights(const RoundedLayer& rounded, const PtqCorrection& correction,
                                  const observe::InputMoments* moments);

// The float32 bias less `errors`; nothing happens without a bias, or without errors.
void TakeOffBias(ir::Graph* graph, ir::Node* node, const std::vector<double>& errors);

}  // namespace micrort::quantize
