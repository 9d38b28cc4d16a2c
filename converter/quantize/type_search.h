#pragma once
// --quant auto: which layers gain from int8, and which of these the output can afford.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "converter/quantize/layer_types.h"
#include "kernels/base/status.h"

namespace micrort::quantize {

// They describe a model some of whose layers have the given types, and the others int8.
using EstimateTime = std::function<Status(const LayerTypes& types, double* microseconds)>;
using MeasureLoss = std::function<Status(const LayerTypes& types, double* loss)>;

struct TypeSearch {
  std::vector<std::string> layers;  // in run order
  std::set<std::string> wide;       // those that may have int16 activations
  bool integers_only = false;       // the device has layers of floats at most by another build
  LayerTypes fixed;                 // of layers that are not searched
  double max_loss;
  EstimateTime time;
  MeasureLoss loss;
};

struct FoundTypes {
  LayerTypes types;                        // of the layers that are not int8, `fixed` among them
  std::vector<std::string> slow, harmful;  // which of them would be slower in int8; lose too much in it
  std::vector<std::string> wide;           // which have int16 activations, as they lose too much in int8
  double microseconds = 0.0, loss = 0.0;
  const char* measure = "";  // of the loss
};

// First, layers leave int8 as long as that makes the model faster, conversions between types included. Then,
// until the loss is within max_loss, the layer leaves, to int16x8 or to float, that takes away most loss for
// the time it costs. With `integers_only`, none becomes float for speed, nor where int16x8 will do.
// kUnsupported if max_loss cannot be kept.
Status SearchTypes(const TypeSearch& search, FoundTypes* found);

}  // namespace micrort::quantize
