// Operators on the diagonals of matrices of fixed size.

#include "converter/frontend/onnx/registry.h"
#include "converter/frontend/onnx/tensor_reader.h"

namespace micrort::frontend {

namespace {

constexpr int64_t kMaxElements = int64_t{1} << 24;  // of the constants that are made here

struct Matrix {
  int64_t rows = 0;
  int64_t columns = 0;
};

// The last two dimensions of the input.
Status ReadMatrix(const NodeContext& c, Matrix* out) {
  const std::vector<int64_t>& dims = c.x().shape;
  if (dims.size() < 2) return MICRORT_ERROR(kInvalidModel, "input of %zu dimensions", dims.size());
  out->rows = dims[dims.size() - 2];
  out->columns = dims.back();
  if (out->rows < 0 || out->columns < 0 || (out->columns > 0 && out->rows > kMaxElements / out->columns)) {
    return MICRORT_ERROR(kUnsupported, "the matrix has no fixed size, or more than %lld elements",
                         static_cast<long long>(kMaxElements));
  }
  return Status();
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

// Keeps the upper or the lower triangle, whose edge is diagonal k (input 1).
Status ImportTrilu(NodeContext& c) {
  Matrix m;
  MICRORT_RETURN_IF_ERROR(ReadMatrix(c, &m));
  std::vector<int64_t> k = {0};
  if (c.has_input(1)) MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &k));
  if (k.size() != 1) return MICRORT_ERROR(kInvalidModel, "k has %zu elements", k.size());
  const bool upper = c.Int("upper", 1) != 0;
  const auto keep = [&](int64_t diagonal) { return upper ? diagonal >= k[0] : diagonal <= k[0]; };
  const ir::ValueId mask = AddMask(c, m, Mask(m, keep));
  const ir::ValueId zero = c.Scalar(c.x().dtype, 0);
  return c.Return(c.build.Add(schema::SelectOptionsT(), {mask, c.input(0), zero}));
}

// 1 on diagonal k, 0 elsewhere, in the shape of the input.
Status ImportEyeLike(NodeContext& c) {
  Matrix m;
  MICRORT_RETURN_IF_ERROR(ReadMatrix(c, &m));
  if (c.x().rank() != 2) return MICRORT_ERROR(kInvalidModel, "input of %d dimensions", c.x().rank());
  const int64_t k = c.Int("k", 0);
  const auto type = static_cast<int>(c.Int("dtype", 0));
  const DType dtype = c.Has("dtype") ? DTypeOfOnnx(type) : c.x().dtype;
  if (dtype == DType::kUnknown) return MICRORT_ERROR(kUnsupported, "dtype %s", OnnxTypeName(type).c_str());
  const ir::ValueId mask = AddMask(c, m, Mask(m, [&](int64_t diagonal) { return diagonal == k; }));
  return c.Return(dtype == DType::kBool ? mask : c.build.Cast(mask, dtype));
}

constexpr OpImporter kImporters[] = {
    {"EyeLike", 1, 1, ImportEyeLike},
    {"Trilu", 1, 2, ImportTrilu},
};

}  // namespace

Span<const OpImporter> DiagonalImporters() { return kImporters; }

}  // namespace micrort::frontend
