#pragma once
// Chooses among the algorithms that can compute a layer. Without a chooser, an interpreter takes the
// algorithm with the lowest estimated cost.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort {

struct AlgorithmInfo {
  const char* name = "";  // algorithm and micro-kernel: "winograd_4x4_f32/avx2_6x16"; never freed
  double cost = 0;        // estimated time; comparable within one layer
  size_t scratch_bytes = 0;
  size_t packed_bytes = 0;
  uint16_t variant = 0;  // the name as a number, the same in every build
};

// A layer that is being planned.
struct LayerAlgorithms {
  uint64_t layer = 0;  // identifies types and dimensions; the same on every machine
  CpuFeatures features = 0;
  int threads = 1;
  Span<const AlgorithmInfo> algorithms;  // at least one
  size_t cheapest = 0;                   // of these, by cost
};

class AlgorithmChooser {
 public:
  // Sets *choice to an index into layer.algorithms. An error ends Interpreter::Create() or Resize(). Only
  // these call it, on their caller's thread.
  virtual Status Choose(const LayerAlgorithms& layer, size_t* choice) const = 0;

 protected:
  ~AlgorithmChooser() = default;
};

}  // namespace micrort
