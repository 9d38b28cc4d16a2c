#pragma once
// Which layers keep 8 bits where 4 were asked for.

#include <cstdint>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::quantize {

// How many bytes all constants may take for each byte of float: what 8 bits here and there add to
// the 4.5/32 of plain int4 stays small beside what other constants take.
constexpr double kMostInt4Bytes = 0.15;

// A layer that has become int4, and how it was before.
struct Int4Layer {
  ir::Node* node;
  std::vector<ir::ValueId> inputs;
  bool transpose_b;  // of a product
  double noise;      // over the signal of its outputs, as powers
};

// Bytes of the constants that the graph's nodes read.
int64_t ConstantBytes(const ir::Graph& graph);

// Puts those layers back, float weights and all, that gain most for the bytes that 8 bits take more, as far
// as kMostInt4Bytes of `float_bytes` allow; returns them.
std::vector<ir::Node*> TakeBackMostSensitive(ir::Graph* graph, std::vector<Int4Layer> layers,
                                             int64_t float_bytes);

}  // namespace micrort::quantize
