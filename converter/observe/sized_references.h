#pragma once
// Outputs of the source model at several sizes of its open dimensions. The source is imported once for each
// choice, with these sizes fixed, so nothing depends on how the open model was converted.

#include <string>
#include <vector>

#include "converter/frontend/frontend.h"
#include "converter/ir/max_sizes.h"
#include "converter/observe/samples.h"
#include "kernels/base/cpu_features.h"

namespace micrort::observe {

struct SizedReference {
  std::string sizes;  // "x 2x3, mask 1x3"
  Sample sample;      // in the order of the source's inputs
  struct Output {
    std::vector<int64_t> shape;
    std::vector<float> elements;
  };
  std::vector<Output> outputs;
};

// The source, and how it is imported.
struct SourceModel {
  std::string name;
  Span<const uint8_t> bytes;
  frontend::SourceFormat format;
  frontend::ImportOptions options;
  std::vector<ir::MaxSize> max_sizes;
  bool last_logits;
};

// Random inputs of at most a few sizes at which the source can be imported and runs. None for a graph without
// open dimensions, with states, or where values of inputs decide shapes.
std::vector<SizedReference> MakeSizedReferences(const SourceModel& source, ir::Graph& graph,
                                                CpuFeatures features);

}  // namespace micrort::observe
