#pragma once
// Which operators of a float graph run in int8 when ranges are known.

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"
#include "converter/quantize/layer_types.h"
#include "converter/quantize/narrow_plan.h"
#include "converter/quantize/quant_report.h"

namespace micrort::quantize {

// Whether the node is a layer that can compute in int8, if only because of operator and constants.
bool CanBeInt8Layer(const ir::Graph& graph, const ir::Node& node);
// None and Clip: all that integer epilogues do.
bool IsClamp(const schema::Activation& activation);
// Whether layers that give int8 apply the node's activation: a clamp, or PRelu by finite slopes.
bool HasIntegerEpilogue(const ir::Graph& graph, const ir::Node& node);

Int8Role RoleOf(const ir::Graph& graph, const ir::Node& node);

// Which layers become int8 although they do little work on an input that would have to be quantized for them.
struct PoorLayers {
  bool all = false;            // of devices without layers of floats
  bool behind_inputs = false;  // those whose inputs are the graph's, which will be bytes
};

// The nodes to run in int8. Takes:
//  - layers, unless ranges are missing or too little work is done on an input that would have to be quantized
//  for them, but for `poor` ones;
//  - operators of other roles that lie between nodes of the plan, so that no conversion is needed around
//  them.
// Not those that `exceptions` make something else than int8. Layers that stay float go to the report with the
// reason.
NarrowPlan PlanInt8(const ir::Graph& graph, const observe::Ranges& ranges, const LayerTypes& exceptions,
                    const PoorLayers& poor, Report* report);

// The nodes to run with int16 activations and int8 weights: all that have such a form, but for operators that
// are no layers and do not lie between nodes of the plan.
NarrowPlan PlanInt16(const ir::Graph& graph, const observe::Ranges& ranges, const LayerTypes& exceptions,
                     Report* report);

// The same, but no layers other than those that `types` make int16x8.
NarrowPlan PlanAskedInt16(const ir::Graph& graph, const observe::Ranges& ranges, const LayerTypes& types,
                          Report* report);

}  // namespace micrort::quantize
