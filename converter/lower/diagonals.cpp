#include "converter/lower/diagonals.h"

#include <utility>

namespace micrort::lower {

Status CheckDiagonal(const Diagonal& d) {
  if (d.rows < 0 || d.columns < 0 || d.rows > ir::kMaxMade / std::max<int64_t>(d.columns, 1)) {
    return MICRORT_ERROR(kUnsupported, "a matrix whose size is not fixed, or of more than %lld elements",
                         static_cast<long long>(ir::kMaxMade));
  }
  if (d.k == 0 || (d.k > -d.rows && d.k < d.columns)) return Status();
  return MICRORT_ERROR(kInvalidModel, "diagonal %lld of %lldx%lld", static_cast<long long>(d.k),
                       static_cast<long long>(d.rows), static_cast<long long>(d.columns));
}

ir::ValueId DiagonalMask(ir::Builder& build, const Diagonal& d) {
  std::vector<uint8_t> mask(static_cast<size_t>(d.rows * d.columns), 0);
  for (int64_t i = 0; i < d.length(); ++i)
    mask[static_cast<size_t>((d.first_row() + i) * d.columns + d.first_column() + i)] = 1;
  return build.graph().AddConstant("mask", DType::kBool, {d.rows, d.columns}, std::move(mask));
}

Result<ir::ValueId> PlaceDiagonal(ir::Builder& build, const Diagonal& d, ir::ValueId diagonal,
                                  ir::ValueId others) {
  MICRORT_RETURN_IF_ERROR(CheckDiagonal(d));
  MICRORT_RETURN_IF_ERROR(build.status());
  const int rank = build.graph().value(diagonal).rank();
  const int64_t length = build.graph().value(diagonal).shape.back();
  if (length != d.length()) {
    return MICRORT_ERROR(kInvalidModel, "diagonals of %lld elements: expected %lld",
                         static_cast<long long>(length), static_cast<long long>(d.length()));
  }
  diagonal = build.PadDim(diagonal, rank - 1, d.first_row(), d.rows - d.first_row() - d.length());
  return build.Checked(build.Select({DiagonalMask(build, d), build.InsertDim(diagonal, rank), others}));
}

}  // namespace micrort::lower
