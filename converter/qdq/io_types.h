#pragma once
// The element types of the inputs and outputs that a caller sees.

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"
#include "kernels/base/status.h"

namespace micrort::qdq {

enum class IoType { kKeep, kInt8, kUInt8, kFloat, kInt16 };

// After quantization. Floats become bytes by the quantization of what first reads or last writes them in
// int8, else by their range: of `ranges`, by name, or what their operator cannot leave. Bytes become the
// other bytes, or floats. Conversions meet those of the graph, and what is quantized first, or dequantized
// last, is not converted at all. Other types stay. kInvalidArgument if a float has no known range.
// Floats become int16 only where an operator of int16 reads or writes them, whose scale they get;
// kInvalidArgument where none does.
Status SetIoTypes(IoType type, const observe::Ranges& ranges, ir::Graph* graph);

}  // namespace micrort::qdq
