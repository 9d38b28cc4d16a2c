#pragma once
// The algorithms for 2-D convolution and matrix product, and the choice among them.

#include <cstddef>
#include <cstdint>

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

constexpr size_t kMaxConv2DAlgorithms = 28;

// Whether the algorithm computes such layers, and the CPU has what it takes.
bool CanRun(const Conv2DAlgorithm& algorithm, const Conv2DParams& p, const ConvTarget& target);

struct Conv2DCandidates {
  struct Candidate {
    const Conv2DAlgorithm* algorithm;
    double cost;
  };
  Candidate rows[kMaxConv2DAlgorithms];
  size_t count;
};

// The applicable rows, cheapest first.
Conv2DCandidates Conv2DCandidatesFor(const Conv2DParams& p, const ConvTarget& target);

// The cheapest applicable row; null if there is none for these types.
const Conv2DAlgorithm* ChooseConv2D(const Conv2DParams& p, const ConvTarget& target);

// Tells apart layers whose sizes or types differ, for measurements of their algorithms: the same number on
// every machine, never 0. Scales do not count.
uint64_t Conv2DLayerKey(const Conv2DParams& p);

}  // namespace micrort
