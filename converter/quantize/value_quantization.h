#pragma once
// Scales and zero points of activations.

#include <map>

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"
#include "converter/quantize/int8_plan.h"

namespace micrort::quantize {

using Quantizations = std::map<ir::ValueId, ir::Quantization>;

// Asymmetric int8 over the range, in which 0 is exact: real = scale * (q - zero_point).
ir::Quantization QuantizeRange(const observe::Range& range);

// For every value that a node of the plan reads or writes in int8. Values that operators only move share one
// quantization; so do inputs and output of a concatenation, where the input has no other reader.
Quantizations AssignQuantization(const ir::Graph& graph, const observe::Ranges& ranges,
                                 const NarrowPlan& plan);
// The same in symmetric int16: the larger end of the range is 32767. Tables have their own scale
// (Int16OutputScale), and nothing but what they are moved to shares it.
Quantizations AssignInt16(const ir::Graph& graph, const observe::Ranges& ranges, const NarrowPlan& plan);

}  // namespace micrort::quantize
