#pragma once
// Arrays between the source model's order of dimensions and the converted model's.

#include <cstdint>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/observe/samples.h"

namespace micrort::observe {

// Row-major elements of `element_bytes` with dims `shape`, rewritten so that dimension i of the result is
// dimension order[i] of the argument. An empty order changes nothing.
std::vector<uint8_t> ReorderDims(const std::vector<uint8_t>& data, const std::vector<int64_t>& shape,
                                 const std::vector<int>& order, size_t element_bytes);

// The order that undoes `order`.
std::vector<int> InverseOrder(const std::vector<int>& order);

// The sample as inputs of a graph whose inputs may have another order of dimensions than the source, or be
// quantized where the source's are floats, and the other way round.
Sample ToGraphOrder(const Sample& sample, const ir::Graph& graph);
std::vector<Sample> ToGraphOrder(const std::vector<Sample>& samples, const ir::Graph& graph);

}  // namespace micrort::observe
