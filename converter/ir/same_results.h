#pragma once
// Whether two graphs compute the same.

#include <vector>

#include "converter/ir/graph.h"

namespace micrort::ir {

// Whether values `a` of one graph and `b` of the other, pair by pair, follow from the same inputs (by their
// places) and equal constants by equal nodes. Names do not count. False where this is not so, even if the
// numbers were the same.
bool HaveSameResults(const Graph& first, const std::vector<ValueId>& a, const Graph& second,
                     const std::vector<ValueId>& b);

}  // namespace micrort::ir
