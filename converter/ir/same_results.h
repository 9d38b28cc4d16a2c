#pragma once
// Whether two graphs compute the same.

#include <map>
#include <memory>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::ir {

// Whether values `a` of one graph and `b` of the other, pair by pair, follow from the same inputs (by their
// places) and equal constants by equal nodes. Names do not count. False where this is not so, even if the
// numbers were the same.
// A Pad with zeros is equal to a Concat with constant zeros.
bool HaveSameResults(const Graph& first, const std::vector<ValueId>& a, const Graph& second,
                     const std::vector<ValueId>& b);

// Constants of the first graph that stand where inputs of the second one do, by these inputs: what would have
// to be there if the results were the same. Nothing is proven by that.
std::map<ValueId, std::shared_ptr<const Bytes>> ConstantsForInputs(const Graph& first,
                                                                   const std::vector<ValueId>& a,
                                                                   const Graph& second,
                                                                   const std::vector<ValueId>& b);

}  // namespace micrort::ir
