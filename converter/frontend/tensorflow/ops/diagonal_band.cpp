#include "converter/frontend/tensorflow/ops/diagonal_band.h"

#include <algorithm>

namespace micrort::frontend::tensorflow {

namespace {

constexpr int64_t kMaxElements = int64_t{1} << 24;

// For each element of the result where it comes from; -1 where it is padding.
using Table = std::vector<int64_t>;

// x's last two dimensions are one, and become the table's elements as [first, second].
ir::ValueId Look(OpContext& c, ir::ValueId x, const Table& table, int64_t first, int64_t second,
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
  return c.build.Add(schema::SelectOptionsT(), {chosen, c.build.Reshape(moved, split), padding});
}

}  // namespace

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

void ReadAlignment(const OpContext& c, DiagonalBand* band) {
  const std::string align = c.String("align", "LEFT_LEFT");
  band->right_over = align.compare(0, 5, "RIGHT") == 0;
  band->right_under = align.size() >= 5 && align.compare(align.size() - 5, 5, "RIGHT") == 0;
}

Status CheckBand(const DiagonalBand& band) {
  if (band.rows < 1 || band.columns < 1 || band.rows > kMaxElements / band.columns)
    return Unsupported("a matrix whose size is not fixed, or of more than {} elements", kMaxElements);
  if (band.low <= band.high && band.low > -band.rows && band.high < band.columns) return Status();
  return Invalid("diagonals {} to {} of {}x{}", band.low, band.high, band.rows, band.columns);
}

ir::ValueId CutBand(OpContext& c, const DiagonalBand& band, ir::ValueId x, ir::ValueId padding) {
  Table table(static_cast<size_t>(band.count() * band.longest()), -1);
  for (int64_t row = 0; row < band.rows; ++row) {
    const int64_t end = std::min(band.columns, row + band.high + 1);
    for (int64_t column = std::max<int64_t>(row + band.low, 0); column < end; ++column)
      table[static_cast<size_t>(band.PlaceOf(row, column))] = row * band.columns + column;
  }
  return Look(c, x, table, band.count(), band.longest(), padding);
}

Status PlaceBand(OpContext& c, const DiagonalBand& band, ir::ValueId diagonals, ir::ValueId others) {
  const std::vector<int64_t>& shape = c.value(diagonals).shape;
  if (shape.size() < 2 || shape[shape.size() - 2] != band.count() || shape.back() != band.longest())
    return Invalid("expected {} diagonals of {} elements", band.count(), band.longest());
  Table table(static_cast<size_t>(band.rows * band.columns), -1);
  for (int64_t row = 0; row < band.rows; ++row) {
    const int64_t end = std::min(band.columns, row + band.high + 1);
    for (int64_t column = std::max<int64_t>(row + band.low, 0); column < end; ++column)
      table[static_cast<size_t>(row * band.columns + column)] = band.PlaceOf(row, column);
  }
  return c.Return(Look(c, diagonals, table, band.rows, band.columns, others));
}

}  // namespace micrort::frontend::tensorflow
