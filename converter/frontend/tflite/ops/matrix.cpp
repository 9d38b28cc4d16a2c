// MATRIX_DIAG and MATRIX_SET_DIAG: elements chosen by their place.

#include <algorithm>

#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

constexpr int64_t kMaxElementsOfMask = int64_t{1} << 24;

// True on the diagonal.
Result<ir::ValueId> DiagonalMask(OpContext& c, int64_t rows, int64_t columns) {
  if (rows < 0 || columns < 0 || (columns > 0 && rows > kMaxElementsOfMask / columns))
    return Unsupported("a matrix whose size is not fixed, or of more than {} elements", kMaxElementsOfMask);
  std::vector<uint8_t> mask(static_cast<size_t>(rows * columns), 0);
  for (int64_t i = 0; i < std::min(rows, columns); ++i) mask[static_cast<size_t>(i * columns + i)] = 1;
  return c.build.graph().AddConstant("mask", DType::kBool, {rows, columns}, std::move(mask));
}

// [...,N] → [...,N,N]
Status ImportMatrixDiag(OpContext& c) {
  const int rank = c.x().rank();
  if (rank < 1) return Invalid("the diagonal is a scalar");
  const int64_t n = c.x().shape.back();
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId mask, DiagonalMask(c, n, n));
  const ir::ValueId column = c.build.InsertDim(c.input(0), rank), zero = c.Scalar(c.x().dtype, 0);
  return c.Return(c.build.Select({mask, column, zero}));
}

// The diagonal of [...,M,N] replaced by [...,min(M,N)].
Status ImportMatrixSetDiag(OpContext& c) {
  const int rank = c.x().rank();
  if (rank < 2 || c.x(1).rank() != rank - 1)
    return Invalid("matrices of {} dimensions, and diagonals of {}", rank, c.x(1).rank());
  const int64_t rows = c.x().shape[static_cast<size_t>(rank) - 2], columns = c.x().shape.back();
  ir::ValueId mask = ir::kNoValue, diagonal = c.input(1);
  MICRORT_ASSIGN_OR_RETURN(mask, DiagonalMask(c, rows, columns));
  if (c.x(1).shape.back() != std::min(rows, columns))
    return Invalid("diagonals of {} elements: expected {}", c.x(1).shape.back(), std::min(rows, columns));
  if (rows > columns) diagonal = c.build.PadDim(diagonal, rank - 2, 0, rows - columns);
  const ir::ValueId column = c.build.InsertDim(diagonal, rank - 1);
  return c.Return(c.build.Select({mask, column, c.input(0)}));
}

constexpr TypeSet kDiagonals =
    TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16, DType::kInt32, DType::kInt64);

}  // namespace

const ImporterList MatrixImporters = {
    {"MATRIX_DIAG", 1, 1, ImportMatrixDiag, Types(kDiagonals).Without("matrices whose size is not fixed")},
    {"MATRIX_SET_DIAG", 2, 2, ImportMatrixSetDiag,
     Types(kDiagonals).Without("matrices whose size is not fixed")},
};

}  // namespace micrort::frontend::tflite
