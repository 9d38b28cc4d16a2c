#pragma once
// What ScatterND and ScatterElements have in common.

#include "kernels/index/scatter.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {

// Inputs of both operators.
constexpr int kScatterData = 0;
constexpr int kScatterIndices = 1;
constexpr int kScatterUpdates = 2;

Status ParseScatterReduction(schema::ScatterReduction from, ScatterReduction* to);

// Checks types and that updates have `updates_shape`; sets the output, which may take the memory of the data.
Status PrepareScatter(PrepareContext& context, ScatterReduction reduction, const Shape& updates_shape,
                      ScatterRule* rule);

}  // namespace micrort
