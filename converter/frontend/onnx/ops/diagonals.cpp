// Operators on the diagonals of matrices, and determinants.

#include <algorithm>

#include "converter/frontend/common/composed_call.h"
#include "converter/frontend/onnx/graph_importer.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

struct Matrix {
  int64_t rows = 0;
  int64_t columns = 0;
};

// The last two dimensions of the input.
Result<Matrix> ReadMatrix(const NodeContext& c) {
  Matrix out;
  const std::vector<int64_t>& dims = c.x().shape;
  if (dims.size() < 2) return Invalid("input of {} dimensions", dims.size());
  out.rows = dims[dims.size() - 2];
  out.columns = dims.back();
  if (out.rows < 0 || out.columns < 0 || out.rows > ir::kMaxMade / std::max<int64_t>(out.columns, 1))
    return Unsupported("the matrix has no fixed size, or more than {} elements", ir::kMaxMade);
  return out;
}

// keep(column - row) for every element.
template <typename F>
std::vector<uint8_t> Mask(const Matrix& m, F keep) {
  std::vector<uint8_t> mask;
  mask.reserve(static_cast<size_t>(m.rows * m.columns));
  for (int64_t row = 0; row < m.rows; ++row) {
    for (int64_t column = 0; column < m.columns; ++column) mask.push_back(keep(column - row));
  }
  return mask;
}

ir::ValueId AddMask(NodeContext& c, const Matrix& m, std::vector<uint8_t> mask) {
  return c.build.graph().AddConstant("mask", DType::kBool, {m.rows, m.columns}, std::move(mask));
}

bool IsFixed(const NodeContext& c) {
  const std::vector<int64_t>& dims = c.x().shape;
  return dims.size() < 2 || (dims[dims.size() - 2] != ir::kDynamic && dims.back() != ir::kDynamic);
}

// 0, 1 ... up to dimension `dim` of the input, as a row or a column.
ir::ValueId IndicesAlong(NodeContext& c, int dim, std::vector<int32_t> shape) {
  const ir::ValueId size = c.build.SizesOf(c.input(0), dim, dim + 1);
  const ir::ValueId zero = c.build.Integer(0), one = c.build.Integer(1);
  const ir::ValueId indices = c.build.Range({zero, size, one});
  return c.build.Reshape(indices, std::move(shape));
}

// Compares the diagonal of every element with k; for a matrix or a k that only a run knows.
ir::ValueId ComputedMask(NodeContext& c, schema::BinaryKind compare, ir::ValueId k) {
  const int rank = c.x().rank();
  const ir::ValueId rows = IndicesAlong(c, rank - 2, {-1, 1});
  const ir::ValueId columns = IndicesAlong(c, rank - 1, {1, -1});
  const ir::ValueId diagonals = c.build.Sub(columns, rows);
  return c.build.Binary(compare, diagonals, c.build.Reshape(k, {}));
}

// Keeps the upper or the lower triangle, whose edge is diagonal k (input 1).
Status ImportTrilu(NodeContext& c) {
  std::vector<int64_t> k = {0};
  const bool k_is_known = !c.has_input(1) || ir::IntegersOf(c.x(1), &k);
  if (k.size() != 1) return Invalid("k has {} elements", k.size());
  const bool upper = c.Int("upper", 1) != 0;
  const ir::ValueId zero = c.Scalar(c.x().dtype, 0);
  ir::ValueId mask = ir::kNoValue;
  if (k_is_known && IsFixed(c)) {
    MICRORT_ASSIGN_OR_RETURN(Matrix m, ReadMatrix(c));
    const auto keep = [&](int64_t diagonal) { return upper ? diagonal >= k[0] : diagonal <= k[0]; };
    mask = AddMask(c, m, Mask(m, keep));
  } else {
    if (c.x().rank() < 2) return Invalid("input of {} dimensions", c.x().rank());
    const ir::ValueId edge = k_is_known ? c.build.Constant<int64_t>({}, k) : c.input(1);
    const auto compare = upper ? schema::BinaryKind::GreaterOrEqual : schema::BinaryKind::LessOrEqual;
    mask = ComputedMask(c, compare, edge);
  }
  return c.Return(c.build.Select({mask, c.input(0), zero}));
}

// 1 on diagonal k, 0 elsewhere, in the shape of the input.
Status ImportEyeLike(NodeContext& c) {
  if (c.x().rank() != 2) return Invalid("input of {} dimensions", c.x().rank());
  const int64_t k = c.Int("k", 0);
  MICRORT_ASSIGN_OR_RETURN(const DType dtype, c.Type("dtype", c.x().dtype));
  ir::ValueId mask = ir::kNoValue;
  if (IsFixed(c)) {
    MICRORT_ASSIGN_OR_RETURN(Matrix m, ReadMatrix(c));
    mask = AddMask(c, m, Mask(m, [&](int64_t diagonal) { return diagonal == k; }));
  } else {
    mask = ComputedMask(c, schema::BinaryKind::Equal, c.build.Integer(k));
  }
  return c.Return(c.build.As(mask, dtype));
}

Status ImportDet(NodeContext& c) {
  constexpr int64_t kMaxSize = 64;
  const std::vector<int64_t>& dims = c.x().shape;
  if (dims.size() < 2) return Invalid("input of {} dimensions", dims.size());
  const int64_t n = dims.back();
  if (n != ir::kDynamic && dims[dims.size() - 2] != ir::kDynamic && n != dims[dims.size() - 2])
    return Invalid("the matrix is not square");
  if (n < 1 || n > kMaxSize) return Unsupported("matrices must have a fixed size from 1 to {}", kMaxSize);
  if (c.graphs == nullptr) return Unsupported("determinants for another format");
  MICRORT_ASSIGN_OR_RETURN(
      const std::vector<ir::ValueId> results,
      CallComposed(c.graphs->assembler(), c.build.origin, "__determinant", {{c.input(0)}}, {}));
  return c.Return(results);
}

}  // namespace

const ImporterList DiagonalImporters = {
    {"Det", 1, 1, HalvesInFloat32<ImportDet>,
     Types(kFloats).Since(11).Without("matrices larger than 64 x 64")},
    {"EyeLike", 1, 1, ImportEyeLike, "matrices without a fixed size"},
    {"Trilu", 1, 2, ImportTrilu},
};

}  // namespace micrort::frontend::onnx
