// Diagonals and triangles of matrices.

#include <algorithm>

#include "converter/frontend/tensorflow/op_context.h"
#include "converter/frontend/tensorflow/registry.h"
#include "converter/lower/diagonals.h"

namespace micrort::frontend::tensorflow {

namespace {

// Several neighbouring diagonals of matrices as rows of one tensor [...,diagonals,length].

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

// For each element of the result where it comes from; -1 where it is padding.
using Places = std::vector<int64_t>;

// x's last two dimensions are one, and become the table's elements as [first, second].
ir::ValueId Look(OpContext& c, ir::ValueId x, const Places& table, int64_t first, int64_t second,
                 ir::ValueId padding) {
  const int rank = c.value(x).rank();
  std::vector<uint8_t> mask;
  std::vector<int64_t> places;
  for (const int64_t place : table) {
    mask.push_back(place >= 0 ? 1 : 0);
    places.push_back(std::max<int64_t>(place, 0));
  }
  std::vector<int32_t> flat = ir::CopiedDims(rank - 2), split = flat;
  flat.push_back(kInferDim);
  split.insert(split.end(), {static_cast<int32_t>(first), static_cast<int32_t>(second)});
  const ir::ValueId moved = c.build.Gather(c.build.Reshape(x, flat), c.build.Integers(places), rank - 2);
  const ir::ValueId chosen =
      c.build.graph().AddConstant("mask", DType::kBool, {first, second}, std::move(mask));
  return c.build.Select({chosen, c.build.Reshape(moved, split), padding});
}

int64_t DiagonalBand::LengthOf(int64_t diagonal) const {
  return std::min(rows + std::min<int64_t>(diagonal, 0), columns - std::max<int64_t>(diagonal, 0));
}

int64_t DiagonalBand::longest() const {
  return std::max(LengthOf(low), std::max(LengthOf(high), low <= 0 && high >= 0 ? LengthOf(0) : 0));
}

int64_t DiagonalBand::PlaceOf(int64_t row, int64_t column) const {
  const int64_t diagonal = column - row;
  const bool is_right = (diagonal >= 0 && right_over) || (diagonal <= 0 && right_under);
  const int64_t padding = is_right ? longest() - LengthOf(diagonal) : 0;
  return (high - diagonal) * longest() + padding + std::min(row, column);
}

// Attribute `align`; older versions of the operators have none.
void ReadAlignment(const OpContext& c, DiagonalBand* band) {
  const std::string align = c.String("align", "LEFT_LEFT");
  band->right_over = align.compare(0, 5, "RIGHT") == 0;
  band->right_under = align.size() >= 5 && align.compare(align.size() - 5, 5, "RIGHT") == 0;
}

// kInvalidModel, kUnsupported unless sizes are fixed, and the band lies inside of the matrices.
Status CheckBand(const DiagonalBand& band) {
  if (band.rows < 1 || band.columns < 1 || band.rows > ir::kMaxMade / band.columns)
    return Unsupported("a matrix whose size is not fixed, or of more than {} elements", ir::kMaxMade);
  if (band.low <= band.high && band.low > -band.rows && band.high < band.columns) return Status();
  return Invalid("diagonals {} to {} of {}x{}", band.low, band.high, band.rows, band.columns);
}

// The band of the matrices x [...,rows,columns]; `padding` is a scalar.
ir::ValueId CutBand(OpContext& c, const DiagonalBand& band, ir::ValueId x, ir::ValueId padding) {
  Places table(static_cast<size_t>(band.count() * band.longest()), -1);
  for (int64_t row = 0; row < band.rows; ++row) {
    const int64_t end = std::min(band.columns, row + band.high + 1);
    for (int64_t column = std::max<int64_t>(row + band.low, 0); column < end; ++column)
      table[static_cast<size_t>(band.PlaceOf(row, column))] = row * band.columns + column;
  }
  return Look(c, x, table, band.count(), band.longest(), padding);
}

// Matrices with this band, [...,count,longest]; `others` is what they hold elsewhere.
Status PlaceBand(OpContext& c, const DiagonalBand& band, ir::ValueId diagonals, ir::ValueId others) {
  const std::vector<int64_t>& shape = c.value(diagonals).shape;
  if (shape.size() < 2 || shape[shape.size() - 2] != band.count() || shape.back() != band.longest())
    return Invalid("expected {} diagonals of {} elements", band.count(), band.longest());
  Places table(static_cast<size_t>(band.rows * band.columns), -1);
  for (int64_t row = 0; row < band.rows; ++row) {
    const int64_t end = std::min(band.columns, row + band.high + 1);
    for (int64_t column = std::max<int64_t>(row + band.low, 0); column < end; ++column)
      table[static_cast<size_t>(row * band.columns + column)] = band.PlaceOf(row, column);
  }
  return c.Return(Look(c, diagonals, table, band.rows, band.columns, others));
}

// k: one number, or the lowest and the highest one.
Result<int64_t> ReadDiagonals(const OpContext& c, size_t input, int64_t* low) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> list, c.ConstantIntegers(input));
  if (list.empty() || list.size() > 2 || list.front() > list.back() || list.front() < -ir::kMaxMade ||
      list.back() > ir::kMaxMade)
    return Invalid("k: expected one diagonal, or two in ascending order");
  *low = list.front();
  return list.back();
}

// A size that is not told is the least that the longest diagonal asks for; that of the other dimension, if
// neither is told.
void ChooseSize(int64_t longest, DiagonalBand* band) {
  const int64_t least_rows = longest - std::min<int64_t>(band->high, 0);
  const int64_t least_columns = longest + std::max<int64_t>(band->low, 0);
  if (band->rows <= 0 && band->columns <= 0) {
    band->rows = band->columns = std::max(least_rows, least_columns);
  } else if (band->rows <= 0) {
    band->rows = least_rows;
  } else if (band->columns <= 0) {
    band->columns = least_columns;
  }
}

// inputs: diagonals; of later versions k, rows, columns, and what is elsewhere.
Status ImportMatrixDiag(OpContext& c) {
  if (c.rank() < 1) return Invalid("the diagonal is a scalar");
  const int64_t length = c.x().shape.back();
  if (length == ir::kDynamic) return Unsupported("the diagonal's length is not fixed");
  DiagonalBand band;
  if (c.input_count() > 1) {
    MICRORT_ASSIGN_OR_RETURN(band.high, ReadDiagonals(c, 1, &band.low));
    MICRORT_ASSIGN_OR_RETURN(band.rows, c.ConstantInteger(2));
    MICRORT_ASSIGN_OR_RETURN(band.columns, c.ConstantInteger(3));
  }
  ChooseSize(length, &band);
  const ir::ValueId others = c.input_count() > 4 ? c.input(4) : c.Scalar(c.x().dtype, 0);
  if (band.count() == 1)
    return c.Return(lower::PlaceDiagonal(c.build, {band.low, band.rows, band.columns}, c.input(0), others));
  ReadAlignment(c, &band);
  MICRORT_RETURN_IF_ERROR(CheckBand(band));
  return PlaceBand(c, band, c.input(0), others);
}

// inputs: matrices, diagonals; of later versions k.
Status ImportMatrixSetDiag(OpContext& c) {
  if (c.rank() < 2) return Invalid("it is no matrix");
  const std::vector<int64_t>& shape = c.x().shape;
  DiagonalBand band;
  band.rows = shape[shape.size() - 2];
  band.columns = shape.back();
  if (c.input_count() > 2) MICRORT_RETURN_IF_ERROR(Take(ReadDiagonals(c, 2, &band.low), &band.high));
  const int expected = c.rank() - (band.count() == 1 ? 1 : 0);
  if (c.rank(1) != expected)
    return Invalid("matrices of {} dimensions, and diagonals of {}", c.rank(), c.rank(1));
  if (band.count() == 1)
    return c.Return(
        lower::PlaceDiagonal(c.build, {band.low, band.rows, band.columns}, c.input(1), c.input(0)));
  ReadAlignment(c, &band);
  MICRORT_RETURN_IF_ERROR(CheckBand(band));
  return PlaceBand(c, band, c.input(1), c.input(0));
}

// inputs: matrices; of later versions k, and what shorter diagonals are padded with.
Status ImportMatrixDiagPart(OpContext& c) {
  if (c.rank() < 2) return Invalid("it is no matrix");
  const std::vector<int64_t> shape = c.x().shape;
  DiagonalBand band;
  band.rows = shape[shape.size() - 2];
  band.columns = shape.back();
  if (c.input_count() > 1) MICRORT_RETURN_IF_ERROR(Take(ReadDiagonals(c, 1, &band.low), &band.high));
  MICRORT_RETURN_IF_ERROR(CheckBand(band));
  ReadAlignment(c, &band);
  if (band.count() > 1) return c.Return(CutBand(c, band, c.input(0), c.input(2)));
  const lower::Diagonal d = {band.low, band.rows, band.columns};
  std::vector<int64_t> places;
  for (int64_t i = 0; i < d.length(); ++i)
    places.push_back((d.first_row() + i) * d.columns + d.first_column() + i);
  std::vector<int32_t> flat = ir::CopiedDims(c.rank() - 2);
  flat.push_back(static_cast<int32_t>(d.rows * d.columns));
  return c.Return(c.build.Gather(c.build.Reshape(c.input(0), flat), c.build.Integers(places), c.rank() - 2));
}

// Diag: a tensor of n dimensions on the diagonal of one of 2 * n.
Status ImportDiag(OpContext& c) {
  if (!c.x().is_static()) return Unsupported("a size that is not fixed");
  const int64_t n = c.x().elements();
  const lower::Diagonal d = {0, n, n};
  MICRORT_RETURN_IF_ERROR(lower::CheckDiagonal(d));
  const ir::ValueId column = c.build.Reshape(c.input(0), {kInferDim, 1});
  std::vector<int32_t> shape(c.x().shape.begin(), c.x().shape.end());
  shape.insert(shape.end(), c.x().shape.begin(), c.x().shape.end());
  const ir::ValueId zero = c.Scalar(c.x().dtype, 0);
  const ir::ValueId matrix = c.build.Select({lower::DiagonalMask(c.build, d), column, zero});
  return c.Return(c.build.Reshape(matrix, shape));
}

Status ImportDiagPart(OpContext& c) {
  if (!c.x().is_static() || c.rank() < 2 || c.rank() % 2 != 0)
    return Unsupported("expected a fixed size, and an even number of dimensions");
  const auto half = c.x().shape.begin() + c.rank() / 2;
  const std::vector<int32_t> shape(c.x().shape.begin(), half);
  if (!std::equal(c.x().shape.begin(), half, half)) return Invalid("it is not square");
  int64_t n = 1;
  for (const int32_t dim : shape) {
    n *= dim;
    if (n > ir::kMaxMade) return Unsupported("a diagonal of more than {} elements", ir::kMaxMade);
  }
  std::vector<int64_t> places;
  for (int64_t i = 0; i < n; ++i) places.push_back(i * n + i);
  const ir::ValueId flat = c.build.Reshape(c.input(0), {kInferDim});
  return c.Return(c.build.Reshape(c.build.Gather(flat, c.build.Integers(places), 0), shape));
}

// inputs: matrices, how many diagonals under and above the main one stay; -1: all.
Status ImportBandPart(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(int64_t under, c.ConstantInteger(1));
  MICRORT_ASSIGN_OR_RETURN(int64_t above, c.ConstantInteger(2));
  ir::ValueId y = c.input(0);
  if (under >= 0) {
    MICRORT_ASSIGN_OR_RETURN(y, c.Onnx("Trilu", {y, c.build.Integer(-under)}, {{"upper", int64_t{1}}}));
  }
  if (above >= 0) {
    MICRORT_ASSIGN_OR_RETURN(y, c.Onnx("Trilu", {y, c.build.Integer(above)}, {{"upper", int64_t{0}}}));
  }
  return c.Return(y);
}

constexpr char kSizes[] = "sizes that are not fixed";

}  // namespace

const ImporterList MatrixOps = {
    {"Diag", 1, 1, ImportDiag, kSizes},
    {"DiagPart", 1, 1, ImportDiagPart, kSizes},
    {"MatrixBandPart", 3, 3, ImportBandPart, "a band that is not constant"},
    {"MatrixDiag", 1, 1, ImportMatrixDiag, kSizes},
    {"MatrixDiagPart", 1, 1, ImportMatrixDiagPart, kSizes},
    {"MatrixDiagPartV2", 3, 3, ImportMatrixDiagPart, kSizes},
    {"MatrixDiagPartV3", 3, 3, ImportMatrixDiagPart, kSizes},
    {"MatrixDiagV2", 5, 5, ImportMatrixDiag, kSizes},
    {"MatrixDiagV3", 5, 5, ImportMatrixDiag, kSizes},
    {"MatrixSetDiag", 2, 2, ImportMatrixSetDiag, kSizes},
    {"MatrixSetDiagV2", 3, 3, ImportMatrixSetDiag, kSizes},
    {"MatrixSetDiagV3", 3, 3, ImportMatrixSetDiag, kSizes},
};

}  // namespace micrort::frontend::tensorflow
