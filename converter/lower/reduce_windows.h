#pragma once
// Windows over tensors of any rank, reduced to one element each.

#include <vector>

#include "converter/ir/build.h"

namespace micrort::lower {

struct ReducedWindow {
  std::vector<int64_t> size, stride, dilation;  // one a dimension
  std::vector<int64_t> pads;                    // all begins, then all ends; empty: none
};

// x padded with the scalar `first`, its windows reduced, and `first` reduced with each. kUnsupported where
// sizes are not fixed, or windows have too many elements together.
Result<ir::ValueId> ReduceWindows(ir::Builder& build, ir::ValueId x, ir::ValueId first,
                                  schema::ReduceKind kind, const ReducedWindow& window);

// x reduced with y, element by element: what ReduceKind does along an axis.
ir::ValueId Combined(ir::Builder& build, schema::ReduceKind kind, ir::ValueId x, ir::ValueId y);

}  // namespace micrort::lower
