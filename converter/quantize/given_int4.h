#pragma once
// Weights that the source model gives as 4 bits or fewer with scales of groups: these integers, not others.

#include <cstdint>
#include <optional>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/quantize/layer.h"

namespace micrort::quantize {

struct GivenInt4 {
  std::vector<int8_t> integers;  // one output channel a row, as the layer adds them up
  ir::Quantization quantization;
};

// Nothing unless all elements are still what the grid says. `rows`: the weights, one output channel a row.
std::optional<GivenInt4> Int4AsGiven(const ir::Value& weights, const Layer& layer,
                                     const std::vector<float>& rows);

struct GivenLayers {
  int64_t kept = 0, in_integers = 0;
};

// Layers whose weights the source gives so, in bodies too, become int4 that are computed in float, with the
// same results; with dynamic_inputs they multiply integers, but for those that would not gain.
GivenLayers StoreGivenInt4(ir::Graph* graph, bool dynamic_inputs);

// How many int4 constants of the graph and its bodies have a scale that no half holds; files keep theirs as
// floats, so that the weights stay what they are.
int CountFloatScales(const ir::Graph& graph);

}  // namespace micrort::quantize
