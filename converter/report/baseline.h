#pragma once
// The optimized float model, before anything of it is quantized: what a quantized one is measured against.

#include <map>
#include <string>

#include "converter/emit/aligned_bytes.h"
#include "converter/ir/graph.h"
#include "converter/observe/samples.h"
#include "converter/report/bars.h"
#include "converter/report/summary.h"
#include "kernels/base/cpu_features.h"

namespace micrort::report {

struct Baseline {
  struct Node {
    double microseconds = 0.0;  // of all operators of this name
    Bars weights;
  };

  std::map<std::string, Node> nodes;  // by name
  double microseconds = 0.0;          // of all
  Summary summary;                    // of the file: bytes and arena
};

// `file` is the graph, emitted. `sample` as for MeasureFile.
Status MeasureBaseline(const ir::Graph& graph, const AlignedBytes& file, const Device& device,
                       const observe::Sample* sample, Baseline* baseline);

}  // namespace micrort::report
