#pragma once

#include <memory>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::ir {

// The grid of what the node computes from a constant that has one, where it only moves the elements; empty
// where that cannot be told.
Quantization SourceQuantizationAfter(const Graph& graph, const Node& node);

// The integers that what the node computes was given as, where it keeps their order; else null.
std::shared_ptr<const std::vector<int32_t>> SourceIntegersAfter(const Graph& graph, const Node& node);

// The integers as a hint; null unless each fits into 32 bits.
std::shared_ptr<const std::vector<int32_t>> SourceIntegers(const std::vector<int64_t>& integers);

}  // namespace micrort::ir
