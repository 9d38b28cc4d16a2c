#pragma once
// Static int8: ranges of activations are told from samples.

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"
#include "converter/quantize/quant_report.h"

namespace micrort::quantize {

// The graph is float32, shapes inferred; `ranges` were observed on it. Layers that cannot be int8 stay float.
void QuantizeStatically(ir::Graph* graph, const observe::Ranges& ranges, Report* report);

}  // namespace micrort::quantize
