#pragma once
// What the importers of StableHLO's operators read from options and subgraphs, and check.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

using Dims = std::vector<int64_t>;

constexpr uint32_t kTotalOrder = 2;  // a compare_type

// What the file says of output 0, which some operators are defined by.
Result<Dims> OutputShape(const OpContext& c);

Status CheckCount(size_t found, int expected, const char* what);
// Different dimensions of `rank`.
Status CheckAxes(const Dims& axes, int rank, const char* what);
// Input i has a fixed shape.
Status CheckFixed(OpContext& c, size_t i);

// The function of two scalars that a subgraph is, if it is one operator that reduces the type of input 0.
Result<schema::ReduceKind> ReducerOf(OpContext& c, int64_t subgraph);

// Integers in the total order of IEEE 754 of floats: -0 is less than 0, NaN the largest or the least.
ir::ValueId TotalOrderOf(OpContext& c, ir::ValueId x);

}  // namespace micrort::frontend::tflite
