// Matrix products.

#include "converter/frontend/tensorflow/ops/fused.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// bias: kNoValue if there is none.
Result<ir::ValueId> Multiply(OpContext& c, bool transpose_a, bool transpose_b, ir::ValueId bias) {
  for (size_t i = 0; i < 2; ++i) {
    if (c.rank(i) < 2) return Invalid("input {} is no matrix", i);
  }
  const ir::ValueId a = transpose_a ? c.build.SwapLastTwo(c.input(0)) : c.input(0);
  const ir::ValueId b = transpose_b ? c.build.SwapLastTwo(c.input(1)) : c.input(1);
  return c.build.MatMul(ir::Present({a, b, bias}), false);
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
