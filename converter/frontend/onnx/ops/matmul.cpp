// Matrix products.

#include <cmath>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// Vectors are a row on the left, a column on the right, and leave no dimension in the result.
Status ImportMatMul(NodeContext& c) {
  const bool row = c.x(0).rank() == 1;
  const bool column = c.x(1).rank() == 1;
  const ir::ValueId a = row ? c.build.Reshape(c.input(0), {1, CopyDim(0)}) : c.input(0);
  const ir::ValueId b = column ? c.build.Reshape(c.input(1), {CopyDim(0), 1}) : c.input(1);
  ir::ValueId y = c.build.Add(schema::MatMulOptionsT(), {a, b});
  MICRORT_RETURN_IF_ERROR(c.build.status());
  if (column) y = c.build.DropDim(y, c.value(y).rank() - 1);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  if (row) y = c.build.DropDim(y, c.value(y).rank() - (column ? 1 : 2));
  return c.Return(y);
}

ir::ValueId Multiplied(NodeContext& c, ir::ValueId x, float factor) {
  return factor == 1.0f ? x : c.build.Mul(x, c.Scalar(c.value(x).dtype, factor));
}

// [N] or [1,N], for a result of N columns.
bool IsRowOf(const ir::Value& v, int64_t columns) {
  if (!v.is_static() || columns == ir::kDynamic || v.elements() != columns) return false;
  return v.rank() == 1 || (v.rank() == 2 && v.shape[0] == 1);
}

// y = alpha * A' * B' + beta * C, where C broadcasts.
Status ImportGemm(NodeContext& c) {
  c.Ignore({"broadcast"});
  const float alpha = c.Float("alpha", 1.0f);
  const float beta = c.Float("beta", 1.0f);
  if (!IsFloat(c.x().dtype) && (alpha != std::floor(alpha) || beta != std::floor(beta)))
    return Unsupported("{} scaled by alpha {} and beta {}", Name(c.x().dtype), alpha, beta);
  if (c.x(0).rank() != 2 || c.x(1).rank() != 2)
    return Invalid("expected matrices, found {} and {} dimensions", c.x(0).rank(), c.x(1).rank());
  const bool transpose_b = c.Int("transB", 0) != 0;
  const ir::ValueId a = c.Int("transA", 0) != 0 ? c.build.Transpose(c.input(0), {1, 0}) : c.input(0);
  const bool scale_weights = c.x(1).is_constant();
  const ir::ValueId b = scale_weights ? Multiplied(c, c.input(1), alpha) : c.input(1);
  const int64_t columns = c.x(1).shape[transpose_b ? 0 : 1];

  std::vector<ir::ValueId> inputs = {a, b};
  const bool adds = c.has_input(2) && beta != 0.0f;
  const bool has_bias = adds && c.x(2).dtype == DType::kFloat32 && c.x(2).is_constant() &&
                        IsRowOf(c.x(2), columns) && (scale_weights || alpha == 1.0f);
  if (has_bias) {
    const ir::ValueId scaled = Multiplied(c, c.input(2), beta);
    inputs.push_back(c.x(2).rank() == 1 ? scaled : c.build.Reshape(scaled, {kInferDim}));
  }
  ir::ValueId y = c.build.MatMul(std::move(inputs), transpose_b);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  if (!scale_weights) y = Multiplied(c, y, alpha);
  if (adds && !has_bias) y = c.build.Add(y, Multiplied(c, c.input(2), beta));
  return c.Return(y);
}

constexpr TypeSet kFactors = kFloats | TypesOf(DType::kInt32, DType::kInt64, DType::kUInt32, DType::kUInt64);

}  // namespace

const ImporterList MatMulImporters = {
    {"Gemm", 2, 3, HalvesInFloat32<ImportGemm>, Types(kFactors)},
    {"MatMul", 2, 2, HalvesInFloat32<ImportMatMul>, Types(kFactors)},
};

}  // namespace micrort::frontend::onnx
