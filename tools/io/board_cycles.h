#pragma once
// An estimate of the cycles that a network takes on a Cortex-M4 or M33.

#include <cstdint>
#include <string>

#include "schema/micrort_generated.h"

namespace micrort::io {

// Of one run.
struct LayerWork {
  int64_t convolution = 0, depthwise = 0, matrix = 0;  // multiply-adds
  int64_t outputs = 0;                                 // elements that these layers write
  int64_t others = 0;                                  // elements that other operators read and write
  bool is_int8 = true;                                 // all of these layers

  int64_t multiply_adds() const { return convolution + depthwise + matrix; }
};

// Dynamic dimensions count as 1.
LayerWork LayerWorkOf(const schema::Subgraph& graph);

bool HasCycleModel(const std::string& target);

// Cycles an element, fitted to networks whose instructions were counted
// (docs/measurements/microcontrollers.md). 0 for other cores, and for networks with layers that are not int8.
double EstimatedCycles(const schema::Subgraph& graph, const std::string& target);

}  // namespace micrort::io
