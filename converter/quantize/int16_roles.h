#pragma once
// Which operators of a float graph have a form of int16 activations and int8 weights (16x8), and what that
// asks of their scales.

#include <optional>
#include <string>

#include "converter/ir/graph.h"
#include "converter/quantize/narrow_plan.h"
#include "converter/quantize/value_quantization.h"

namespace micrort::quantize {

Int8Role Int16RoleOf(const ir::Graph& graph, const ir::Node& node);

// The only scale that the output of the node may have, if there is one.
std::optional<float> Int16OutputScale(const ir::Node& node);

// Whether the node computes, and so rounds; others move numbers.
bool RoundsInt16(const ir::Node& node);

// Why a node of a plan cannot have these scales; empty: it can.
std::string WhyNotInt16(const ir::Graph& graph, const ir::Node& node, const Quantizations& quantization);

}  // namespace micrort::quantize
