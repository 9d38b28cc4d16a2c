#pragma once
// Static int8 and int16: ranges of activations are told from samples.

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/layer_types.h"
#include "converter/quantize/ptq_correction.h"
#include "converter/quantize/quant_report.h"

namespace micrort::quantize {

// The graph is float32, shapes inferred; `calibration` was observed on it. Layers that cannot be computed in
// int8, or would not be faster, are computed in float, from int8 weights where these are smaller.
// `exceptions` also keep operators without weights in float.
void QuantizeStatically(ir::Graph* graph, const observe::Calibration& calibration,
                        const PtqCorrection& correction, const LayerTypes& exceptions, const PoorLayers& poor,
                        Report* report);

// The same with int16 activations (16x8), also where that is no faster; after SplitForInt16.
void QuantizeToInt16(ir::Graph* graph, const observe::Calibration& calibration,
                     const PtqCorrection& correction, const LayerTypes& exceptions, Report* report);

}  // namespace micrort::quantize
