// Diagonals and triangles of matrices.

#include <algorithm>

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

constexpr int64_t kMaxMaskElements = int64_t{1} << 24;

// Diagonal k of matrices with so many rows and columns.
struct Diagonal {
  int64_t k = 0, rows = 0, columns = 0;

  int64_t first_row() const { return std::max<int64_t>(-k, 0); }
  int64_t first_column() const { return std::max<int64_t>(k, 0); }
  int64_t length() const { return std::min(rows - first_row(), columns - first_column()); }
};

// k: one number, or the same twice.
Status ReadDiagonal(const OpContext& c, size_t input, int64_t* k) {
  std::vector<int64_t> list;
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(input, &list));
  if (list.empty() || list.size() > 2 || list.front() != list.back()) {
    return MICRORT_ERROR(kUnsupported, "a band of several diagonals");
  }
  *k = list[0];
  return Status();
}

Status CheckMatrix(const Diagonal& d) {
  if (d.rows < 1 || d.columns < 1 || d.rows > kMaxMaskElements / d.columns) {
    return MICRORT_ERROR(kUnsupported, "a matrix whose size is not fixed, or of more than %lld elements",
                         static_cast<long long>(kMaxMaskElements));
  }
  if (d.k > -d.rows && d.k < d.columns) return Status();
  return MICRORT_ERROR(kInvalidModel, "diagonal %lld of %lldx%lld", static_cast<long long>(d.k),
                       static_cast<long long>(d.rows), static_cast<long long>(d.columns));
}

// [rows, columns], true on the diagonal.
ir::ValueId DiagonalMask(OpContext& c, const Diagonal& d) {
  std::vector<uint8_t> mask(static_cast<size_t>(d.rows * d.columns), 0);
  for (int64_t i = 0; i < d.length(); ++i) {
    mask[static_cast<size_t>((d.first_row() + i) * d.columns + d.first_column() + i)] = 1;
  }
  return c.build.graph().AddConstant("mask", DType::kBool, {d.rows, d.columns}, std::move(mask));
}

// The matrices with [...,length] on their diagonal. others: what else they hold.
Status PlaceDiagonal(OpContext& c, const Diagonal& d, ir::ValueId diagonal, ir::ValueId others) {
  MICRORT_RETURN_IF_ERROR(CheckMatrix(d));
  const int rank = c.value(diagonal).rank();
  if (c.value(diagonal).shape.back() != d.length()) {
    return MICRORT_ERROR(kInvalidModel, "diagonals of %lld elements: expected %lld",
                         static_cast<long long>(c.value(diagonal).shape.back()),
                         static_cast<long long>(d.length()));
  }
  if (d.length() < d.rows) {
    schema::PadOptionsT pad;
    pad.pads.assign(2 * static_cast<size_t>(rank), 0);
    pad.pads[static_cast<size_t>(rank) - 1] = d.first_row();
    pad.pads.back() = d.rows - d.first_row() - d.length();
    diagonal = c.build.Add(std::move(pad), {diagonal});
  }
  std::vector<int32_t> column;
  for (int i = 0; i < rank; ++i) column.push_back(CopyDim(i));
  column.push_back(1);
  return c.Return(
      c.build.Add(schema::SelectOptionsT(), {DiagonalMask(c, d), c.build.Reshape(diagonal, column), others}));
}

// inputs: diagonals; of later versions k, rows, columns, and what is elsewhere.
Status ImportMatrixDiag(OpContext& c) {
  if (c.rank() < 1) return MICRORT_ERROR(kInvalidModel, "the diagonal is a scalar");
  Diagonal d;
  const int64_t length = c.x().shape.back();
  if (length == ir::kDynamic) return MICRORT_ERROR(kUnsupported, "the diagonal's length is not fixed");
  int64_t rows = -1, columns = -1;
  if (c.input_count() > 1) {
    MICRORT_RETURN_IF_ERROR(ReadDiagonal(c, 1, &d.k));
    MICRORT_RETURN_IF_ERROR(c.ConstantInteger(2, &rows));
    MICRORT_RETURN_IF_ERROR(c.ConstantInteger(3, &columns));
  }
  const bool is_square = rows <= 0 && columns <= 0;
  const int64_t square = length + std::max(d.first_row(), d.first_column());
  d.rows = is_square ? square : rows > 0 ? rows : length + d.first_row();
  d.columns = is_square ? square : columns > 0 ? columns : length + d.first_column();
  const ir::ValueId others = c.input_count() > 4 ? c.input(4) : c.Scalar(c.x().dtype, 0);
  return PlaceDiagonal(c, d, c.input(0), others);
}

// inputs: matrices, diagonals; of later versions k.
Status ImportMatrixSetDiag(OpContext& c) {
  if (c.rank() < 2 || c.rank(1) != c.rank() - 1) {
    return MICRORT_ERROR(kInvalidModel, "matrices of %d dimensions, and diagonals of %d", c.rank(),
                         c.rank(1));
  }
  const std::vector<int64_t>& shape = c.x().shape;
  Diagonal d = {0, shape[shape.size() - 2], shape.back()};
  if (c.input_count() > 2) MICRORT_RETURN_IF_ERROR(ReadDiagonal(c, 2, &d.k));
  return PlaceDiagonal(c, d, c.input(1), c.input(0));
}

Status ImportMatrixDiagPart(OpContext& c) {
  if (c.rank() < 2) return MICRORT_ERROR(kInvalidModel, "it is no matrix");
  const std::vector<int64_t> shape = c.x().shape;
  Diagonal d = {0, shape[shape.size() - 2], shape.back()};
  if (c.input_count() > 1) MICRORT_RETURN_IF_ERROR(ReadDiagonal(c, 1, &d.k));
  MICRORT_RETURN_IF_ERROR(CheckMatrix(d));
  std::vector<int64_t> places;
  for (int64_t i = 0; i < d.length(); ++i) {
    places.push_back((d.first_row() + i) * d.columns + d.first_column() + i);
  }
  std::vector<int32_t> flat;
  for (int i = 0; i + 2 < c.rank(); ++i) flat.push_back(CopyDim(i));
  flat.push_back(static_cast<int32_t>(d.rows * d.columns));
  return c.Return(c.build.Gather(c.build.Reshape(c.input(0), flat), c.build.Integers(places), c.rank() - 2));
}

// Diag: a tensor of n dimensions on the diagonal of one of 2 * n.
Status ImportDiag(OpContext& c) {
  if (!c.x().is_static()) return MICRORT_ERROR(kUnsupported, "a size that is not fixed");
  const int64_t n = c.x().elements();
  const Diagonal d = {0, n, n};
  MICRORT_RETURN_IF_ERROR(CheckMatrix(d));
  const ir::ValueId column = c.build.Reshape(c.input(0), {kInferDim, 1});
  std::vector<int32_t> shape(c.x().shape.begin(), c.x().shape.end());
  shape.insert(shape.end(), c.x().shape.begin(), c.x().shape.end());
  const ir::ValueId zero = c.Scalar(c.x().dtype, 0);
  const ir::ValueId matrix = c.build.Add(schema::SelectOptionsT(), {DiagonalMask(c, d), column, zero});
  return c.Return(c.build.Reshape(matrix, shape));
}

Status ImportDiagPart(OpContext& c) {
  if (!c.x().is_static() || c.rank() < 2 || c.rank() % 2 != 0) {
    return MICRORT_ERROR(kUnsupported, "expected a fixed size, and an even number of dimensions");
  }
  const auto half = c.x().shape.begin() + c.rank() / 2;
  const std::vector<int32_t> shape(c.x().shape.begin(), half);
  if (!std::equal(c.x().shape.begin(), half, half)) return MICRORT_ERROR(kInvalidModel, "it is not square");
  int64_t n = 1;
  for (const int32_t dim : shape) n *= dim;
  std::vector<int64_t> places;
  for (int64_t i = 0; i < n; ++i) places.push_back(i * n + i);
  const ir::ValueId flat = c.build.Reshape(c.input(0), {kInferDim});
  return c.Return(c.build.Reshape(c.build.Gather(flat, c.build.Integers(places), 0), shape));
}

// inputs: matrices, how many diagonals under and above the main one stay; -1: all.
Status ImportBandPart(OpContext& c) {
  int64_t under = 0, above = 0;
  MICRORT_RETURN_IF_ERROR(c.ConstantInteger(1, &under));
  MICRORT_RETURN_IF_ERROR(c.ConstantInteger(2, &above));
  ir::ValueId y = c.input(0);
  if (under >= 0) {
    MICRORT_RETURN_IF_ERROR(
        c.Onnx("Trilu", {y, c.build.Constant<int64_t>({}, {-under})}, {{"upper", int64_t{1}}}, &y));
  }
  if (above >= 0) {
    MICRORT_RETURN_IF_ERROR(
        c.Onnx("Trilu", {y, c.build.Constant<int64_t>({}, {above})}, {{"upper", int64_t{0}}}, &y));
  }
  return c.Return(y);
}

}  // namespace

Span<const OpImporter> MatrixOps() {
  static constexpr char kOne[] = "several diagonals; sizes that are not fixed";
  static constexpr OpImporter kImporters[] = {
      {"Diag", 1, 1, ImportDiag, "sizes that are not fixed"},
      {"DiagPart", 1, 1, ImportDiagPart, "sizes that are not fixed"},
      {"MatrixBandPart", 3, 3, ImportBandPart, "a band that is not constant"},
      {"MatrixDiag", 1, 1, ImportMatrixDiag, "sizes that are not fixed"},
      {"MatrixDiagPart", 1, 1, ImportMatrixDiagPart, "sizes that are not fixed"},
      {"MatrixDiagPartV2", 3, 3, ImportMatrixDiagPart, kOne},
      {"MatrixDiagPartV3", 3, 3, ImportMatrixDiagPart, kOne},
      {"MatrixDiagV2", 5, 5, ImportMatrixDiag, kOne},
      {"MatrixDiagV3", 5, 5, ImportMatrixDiag, kOne},
      {"MatrixSetDiag", 2, 2, ImportMatrixSetDiag, "sizes that are not fixed"},
      {"MatrixSetDiagV2", 3, 3, ImportMatrixSetDiag, kOne},
      {"MatrixSetDiagV3", 3, 3, ImportMatrixSetDiag, kOne},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
