// Matrix products.

#include "converter/frontend/tensorflow/ops/fused.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// Products of short integers are computed in int32; what their type holds of them are its last bits. Those of
// int8 have an operator.
ir::ValueId Widened(OpContext& c, ir::ValueId x) {
  const DType dtype = c.value(x).dtype;
  const bool is_short =
      dtype == DType::kInt8 || dtype == DType::kUInt8 || dtype == DType::kInt16 || dtype == DType::kUInt16;
  return is_short ? c.build.Cast(x, DType::kInt32) : x;
}

// bias: kNoValue if there is none.
Result<ir::ValueId> Multiply(OpContext& c, bool transpose_a, bool transpose_b, ir::ValueId bias) {
  for (size_t i = 0; i < 2; ++i) {
    if (c.rank(i) < 2) return Invalid("input {} is no matrix", i);
  }
  ir::ValueId a = transpose_a ? c.build.SwapLastTwo(c.input(0)) : c.input(0);
  ir::ValueId b = transpose_b ? c.build.SwapLastTwo(c.input(1)) : c.input(1);
  if (c.value(a).dtype != c.value(b).dtype || c.value(a).dtype != DType::kInt8) {
    a = Widened(c, a);
    b = Widened(c, b);
  }
  const ir::ValueId y = c.build.MatMul(ir::Present({a, b, bias}), false);
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("Tout", c.x().dtype));
  return c.value(y).dtype == type || c.value(y).dtype == DType::kUnknown ? y : c.build.Cast(y, type);
}

Status ImportMatMul(OpContext& c) {
  return c.Return(Multiply(c, c.Bool("transpose_a", false), c.Bool("transpose_b", false), ir::kNoValue));
}

// Adjoints of real matrices are transposed ones.
Status ImportBatchMatMul(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y,
                           Multiply(c, c.Bool("adj_x", false), c.Bool("adj_y", false), ir::kNoValue));
  return c.Return(y);
}

Status ImportFusedMatMul(OpContext& c) {
  const std::vector<std::string> fused = c.Strings("fused_ops");
  if (fused.empty() || fused[0] != "BiasAdd" || c.input_count() != 3)
    return Unsupported("fused_ops other than BiasAdd and activations");
  MICRORT_ASSIGN_OR_RETURN(
      ir::ValueId y, Multiply(c, c.Bool("transpose_a", false), c.Bool("transpose_b", false), c.input(2)));
  for (size_t i = 1; i < fused.size(); ++i) MICRORT_RETURN_IF_ERROR(Activate(c, fused[i], &y));
  return c.Return(y);
}

Status ImportEinsum(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y,
                           c.Onnx("Einsum", c.inputs(), {{"equation", c.String("equation", "")}}));
  return c.Return(y);
}

}  // namespace

const ImporterList MatMulOps = {
    {"BatchMatMul", 2, 2, ImportBatchMatMul},
    {"BatchMatMulV2", 2, 2, ImportBatchMatMul},
    {"BatchMatMulV3", 2, 2, ImportBatchMatMul},
    {"Einsum", 1, -1, ImportEinsum},
    {"MatMul", 2, 2, ImportMatMul},
    {"SparseMatMul", 2, 2, ImportMatMul},
    {"_FusedMatMul", 3, -1, ImportFusedMatMul, "other fused_ops than Grappler writes"},
};

}  // namespace micrort::frontend::tensorflow
