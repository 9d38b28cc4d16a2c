#pragma once
// --quant auto for the fewest bytes: how many bits the weights of each layer have.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "converter/quantize/layer_types.h"
#include "converter/quantize/type_search.h"
#include "kernels/base/status.h"

namespace micrort::quantize {

// They describe a model whose layers have the given types.
using CountBytes = std::function<int64_t(const LayerTypes& types)>;

struct BitsSearch {
  std::vector<std::string> layers;  // in run order
  std::vector<LayerType> types;     // from the widest to the narrowest; at least one
  LayerTypes fixed;                 // of layers that are not searched
  double max_loss;
  CountBytes bytes;
  MeasureLoss rough_loss;  // on a few samples, to compare layers with each other
  MeasureLoss loss;
};

struct FoundBits {
  LayerTypes types;  // of all layers, `fixed` among them
  int64_t bytes = 0;
  double loss = 0.0;  // at most max_loss
  const char* measure = "";
};

// Each layer begins in the widest type. Then, type after type, as many bytes of layers become narrower as the
// loss allows, those first that lose least for the bytes they save. The last type may use all of max_loss,
// each one before it half of what the next may: what one layer needs more of, others need not pay for.
// kUnsupported if max_loss is not even kept in the widest type.
Status SearchBits(const BitsSearch& search, FoundBits* found);

}  // namespace micrort::quantize
