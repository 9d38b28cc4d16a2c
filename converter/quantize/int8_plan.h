#pragma once
// Which operators of a float graph run in int8 when ranges are known.

#include <map>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"
#include "converter/quantize/layer_types.h"
#include "converter/quantize/quant_report.h"
#include "runtime/ops/op_traits.h"

namespace micrort::quantize {

// Whether the node is a layer that can compute in int8, if only because of operator and constants.
bool CanBeInt8Layer(const ir::Graph& graph, const ir::Node& node);
// None and Clip: all that integer epilogues do.
bool IsClamp(const schema::Activation& activation);

Int8Role RoleOf(const ir::Graph& graph, const ir::Node& node);

// Positions of the inputs that are int8 where the node is.
std::vector<size_t> Int8Inputs(const ir::Node& node, Int8Role role);

// The nodes to run in int8. Looked up, never iterated: the order would be that of addresses.
using Int8Plan = std::map<const ir::Node*, Int8Role>;

// Takes:
//  - layers, unless ranges are missing or too little work is done on an input that would have to be quantized
//  for them;
//  - operators of other roles that lie between nodes of the plan, so that no conversion is needed around
//  them.
// Not those that `exceptions` make something else than int8. Layers that stay float go to the report with the
// reason.
Int8Plan PlanInt8(const ir::Graph& graph, const observe::Ranges& ranges, const LayerTypes& exceptions,
                  Report* report);

}  // namespace micrort::quantize
