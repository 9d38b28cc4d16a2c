#pragma once
// Quantization that needs no samples: only constants change.

#include "converter/ir/graph.h"
#include "converter/quantize/adjust_weights.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/layer_types.h"
#include "converter/quantize/ptq_correction.h"
#include "converter/quantize/quant_report.h"
#include "converter/quantize/spectra.h"

namespace micrort::quantize {

// Every layer, in bodies of If and Loop too, becomes `asked`, or what `exceptions` says of it. kInt8 without
// ranges quantizes its input as it runs. Of kInt4Weights, layers that lose most in 4 bits stay in 8 as far as
// int4_budget.h allows, where moments say which. Layers that cannot become what was asked, or would not gain,
// go to the report with the reason.
void StoreWeights(ir::Graph* graph, LayerType asked, const LayerTypes& exceptions,
                  const WeightCorrection& tools, Report* report);

// Lets products of half weights, in bodies too, be summed up in half on CPUs that can.
void AllowHalfArithmetic(ir::Graph* graph);

// Why a layer that nobody gave a type of its own keeps its weights in half although `type` was asked for:
// integers would lose too much there. "" if they do not.
std::string WhyHalf(const ir::Graph& graph, const ir::Node& node, const Layer& layer, LayerType type,
                    const Spectra& spectra, const WeightCorrection& tools);

// Why a layer with integers had better not quantize its input as it runs; "" if it had.
std::string WhyNotDynamic(const ir::Node& node, const Layer& layer, const WeightCorrection& tools);

// These three take what `tools.stored` has of the graph's weights, and add to it.
// int8 weights, and an input that is quantized as the layer runs. Returns why the input is not; "" if it is.
std::string StoreDynamic(ir::Graph* graph, ir::Node* node, const Layer& layer, const WeightCorrection& tools);

// Weights of one layer in another type, computed in float. Returns why that was not done; "" if it was.
std::string StoreLayer(ir::Graph* graph, ir::Node* node, const Layer& layer, LayerType type,
                       const WeightCorrection& tools);

}  // namespace micrort::quantize
