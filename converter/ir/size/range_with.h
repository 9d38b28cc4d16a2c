#pragma once

#include <functional>

#include "converter/ir/size/expr.h"

namespace micrort::ir::size {

// Bounds of an expression where more is known of symbols than that they are sizes.
Range RangeWith(const Expr& e, const std::function<Range(Symbol)>& of);

}  // namespace micrort::ir::size
