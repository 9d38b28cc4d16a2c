// Products of matrices.

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// (input, weight, bias): rows of a matrix as ONNX's Gemm, more dimensions as a product and a sum.
void ImportLinear(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), w = c.TensorAt(1), bias = c.OptionalTensor(2);
  if (c.rank(x) == 2 && c.rank(w) == 2) {
    c.Return(c.Onnx("Gemm", {x, w, bias}, {{"transB", int64_t{1}}}));
    return;
  }
  ir::ValueId y = c.Onnx("MatMul", {x, c.rank(w) == 2 ? c.Onnx("Transpose", {w}) : w});
  if (bias != ir::kNoValue) y = c.build.Add(y, bias);
  c.Return(y);
}

void ImportMatMul(OpContext& c) { c.Return(c.Onnx("MatMul", {c.TensorAt(0), c.TensorAt(1)})); }

ir::ValueId Scaled(OpContext& c, ir::ValueId x, double factor) {
  return factor == 1 ? x : c.build.Mul(x, c.Scalar(c.dtype(x), factor));
}

// (self, mat1, mat2, beta, alpha)
void ImportAddMm(OpContext& c) {
  const ir::ValueId a = c.TensorAt(1), b = c.TensorAt(2);
  const double beta = c.Float(3, 1), alpha = c.Float(4, 1);
  if (c.rank(a) == 2) {
    c.Return(c.Onnx("Gemm", {a, b, c.TensorAt(0)},
                    {{"alpha", static_cast<float>(alpha)}, {"beta", static_cast<float>(beta)}}));
    return;
  }
  const ir::ValueId product = Scaled(c, c.Onnx("MatMul", {a, b}), alpha);
  c.Return(beta == 0 ? product : c.build.Add(product, Scaled(c, c.TensorAt(0), beta)));
}

// (self, vec2)
void ImportOuter(OpContext& c) {
  c.Return(c.Onnx("Mul", {c.build.Reshape(c.TensorAt(0), {ir::kInferDim, 1}), c.TensorAt(1)}));
}

// (equation, tensors, path)
void ImportEinsum(OpContext& c) {
  std::string equation = c.String(0, "");
  c.Return(c.Onnx("Einsum", c.Tensors(1), {{"equation", equation}}));
}

}  // namespace

const ImporterList MatMulOps = {
    {"addmm", "self mat1 mat2 beta alpha", ImportAddMm},
    {"baddbmm", "self batch1 batch2 beta alpha", ImportAddMm},
    {"bmm", "self mat2", ImportMatMul},
    {"dot", "self tensor", ImportMatMul},
    {"einsum", "equation tensors path", ImportEinsum},
    {"linear", "input weight bias", ImportLinear},
    {"matmul", "self other", ImportMatMul},
    {"mm", "self mat2", ImportMatMul},
    {"mv", "self vec", ImportMatMul},
    {"outer", "self vec2", ImportOuter},
};

}  // namespace micrort::frontend::torchscript
