#pragma once
// Several neighbouring diagonals of matrices as rows of one tensor [...,diagonals,length].

#include "converter/frontend/tensorflow/op_context.h"

namespace micrort::frontend::tensorflow {

// Diagonals `low` to `high` of matrices with so many rows and columns. The topmost diagonal is the first row;
// shorter ones begin or end with padding, as attribute `align` says of those over and under the main one.
struct DiagonalBand {
  int64_t low = 0, high = 0, rows = 0, columns = 0;
  bool right_over = false, right_under = false;

  int64_t count() const { return high - low + 1; }
  int64_t LengthOf(int64_t diagonal) const;
  int64_t longest() const;
  // Where element (row, column), which is inside of the band, stands in the rows of diagonals.
  int64_t PlaceOf(int64_t row, int64_t column) const;
};

// Attribute `align`; older versions of the operators have none.
void ReadAlignment(const OpContext& c, DiagonalBand* band);
// kInvalidModel, kUnsupported unless sizes are fixed, and the band lies inside of the matrices.
Status CheckBand(const DiagonalBand& band);

// The band of the matrices x [...,rows,columns]; `padding` is a scalar.
ir::ValueId CutBand(OpContext& c, const DiagonalBand& band, ir::ValueId x, ir::ValueId padding);
// Matrices with this band, [...,count,longest]; `others` is what they hold elsewhere.
Status PlaceBand(OpContext& c, const DiagonalBand& band, ir::ValueId diagonals, ir::ValueId others);

}  // namespace micrort::frontend::tensorflow
