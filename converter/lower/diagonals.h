#pragma once
// Diagonals of matrices, whose sizes are fixed.

#include <algorithm>

#include "converter/ir/build.h"

namespace micrort::lower {

// Diagonal k of matrices with so many rows and columns.
struct Diagonal {
  int64_t k = 0, rows = 0, columns = 0;

  int64_t first_row() const { return std::max<int64_t>(-k, 0); }
  int64_t first_column() const { return std::max<int64_t>(k, 0); }
  int64_t length() const { return std::min(rows - first_row(), columns - first_column()); }
};
// kUnsupported unless the sizes are fixed, and not large; kInvalidModel unless the diagonal is inside.
Status CheckDiagonal(const Diagonal& d);

// [rows, columns], true on the diagonal.
ir::ValueId DiagonalMask(ir::Builder& build, const Diagonal& d);
// The matrices with [...,length] on their diagonal, which is checked. others: what else they hold.
Result<ir::ValueId> PlaceDiagonal(ir::Builder& build, const Diagonal& d, ir::ValueId diagonal,
                                  ir::ValueId others);

}  // namespace micrort::lower
