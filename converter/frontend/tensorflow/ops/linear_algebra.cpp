// Matrices taken apart and solved for, as PyTorch's operators are composed.

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

Status CheckMatrices(const OpContext& c) {
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (c.rank(i) < 2) return Invalid("input {} is no matrix", i);
  }
  return CheckFloat32(c);
}

Status ReturnMatrices(OpContext& c, const char* op, const std::vector<ir::ValueId>& tensors,
                      const std::vector<ComposedOption>& others = {}) {
  MICRORT_RETURN_IF_ERROR(CheckMatrices(c));
  return ReturnComposed(c, op, tensors, others);
}

constexpr char kCholesky[] = "linalg_cholesky", kDeterminant[] = "linalg_det", kExponential[] = "matrix_exp",
               kLogDeterminant[] = "linalg_slogdet", kTridiagonalSolve[] = "__tridiagonal_solve";
template <const char* op>
Status ImportComposedMatrix(OpContext& c) {
  return ReturnMatrices(c, op, c.inputs());
}

// Adjoints of real matrices are transposed ones.
ir::ValueId MaybeAdjoint(OpContext& c) {
  return c.Bool("adjoint", false) ? c.build.SwapLastTwo(c.input(0)) : c.input(0);
}

Status ImportInverse(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckMatrices(c));
  return ReturnMatrices(c, "linalg_inv", {MaybeAdjoint(c)});
}

Status ImportSolve(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckMatrices(c));
  return ReturnMatrices(c, "linalg_solve", {MaybeAdjoint(c), c.input(1)});
}

Status ImportTriangularSolve(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckMatrices(c));
  const bool is_upper = c.Bool("lower", true) == c.Bool("adjoint", false);
  return ReturnMatrices(c, "linalg_solve_triangular", {MaybeAdjoint(c), c.input(1)}, {is_upper});
}

Status ImportQr(OpContext& c) {
  const std::string mode = c.Bool("full_matrices", false) ? "complete" : "reduced";
  return ReturnMatrices(c, "linalg_qr", c.inputs(), {mode});
}

// Singular values come first, and the last output is not transposed.
Status ImportSvd(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckMatrices(c));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<ir::ValueId> usv,
                           c.Torch("linalg_svd", c.inputs(), {c.Bool("full_matrices", false)}));
  c.SetOutput(0, usv[1]);
  if (!c.Bool("compute_uv", true)) return c.build.status();
  c.SetOutput(1, usv[0]);
  c.SetOutput(2, c.build.SwapLastTwo(usv[2]));
  return c.build.status();
}

// Eigenvalues in ascending order, and eigenvectors as columns.
Status ImportEigen(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckMatrices(c));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<ir::ValueId> pairs, c.Torch("linalg_eigh", c.inputs(), {}));
  c.SetOutput(0, pairs[0]);
  if (c.Bool("compute_v", true)) c.SetOutput(1, pairs[1]);
  return c.build.status();
}

// inputs: what is over, on and under the diagonal [...,1,n] in each row, and a matrix.
Status ImportTridiagonalProduct(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckMatrices(c));
  const int rank = c.rank(3);
  const auto shifted = [&](int64_t before, int64_t behind) {
    return c.build.PadDim(c.input(3), rank - 2, before, behind);
  };
  const ir::ValueId parts[] = {shifted(-1, 1), c.input(3), shifted(1, -1)};
  ir::ValueId sum = ir::kNoValue;
  for (size_t i = 0; i < 3; ++i) {
    const ir::ValueId product = c.build.Mul(c.build.SwapLastTwo(c.input(i)), parts[i]);
    sum = i == 0 ? product : c.build.Add(sum, product);
  }
  return c.Return(sum);
}

constexpr char kRows[] = "more than 64 rows";
constexpr char kSides[] = "more than 8 rows and columns";

}  // namespace

const ImporterList LinearAlgebraOps = {
    {"BatchCholesky", 1, 1, ImportComposedMatrix<kCholesky>, kRows},
    {"BatchMatrixDeterminant", 1, 1, ImportComposedMatrix<kDeterminant>, kRows},
    {"BatchMatrixInverse", 1, 1, ImportInverse, kRows},
    {"BatchMatrixSolve", 2, 2, ImportSolve, kRows},
    {"BatchMatrixTriangularSolve", 2, 2, ImportTriangularSolve, kRows},
    {"BatchSelfAdjointEigV2", 1, 1, ImportEigen, kSides},
    {"BatchSvd", 1, 1, ImportSvd, kSides},
    {"Cholesky", 1, 1, ImportComposedMatrix<kCholesky>, kRows},
    {"LogMatrixDeterminant", 1, 1, ImportComposedMatrix<kLogDeterminant>, kRows},
    {"MatrixDeterminant", 1, 1, ImportComposedMatrix<kDeterminant>, kRows},
    {"MatrixExponential", 1, 1, ImportComposedMatrix<kExponential>},
    {"MatrixInverse", 1, 1, ImportInverse, kRows},
    {"MatrixSolve", 2, 2, ImportSolve, kRows},
    {"MatrixTriangularSolve", 2, 2, ImportTriangularSolve, kRows},
    {"Qr", 1, 1, ImportQr, kRows},
    {"SelfAdjointEigV2", 1, 1, ImportEigen, kSides},
    {"Svd", 1, 1, ImportSvd,
     "matrices whose sides are both longer than 8; full_matrices of others than square ones"},
    {"TridiagonalMatMul", 4, 4, ImportTridiagonalProduct},
    {"TridiagonalSolve", 2, 2, ImportComposedMatrix<kTridiagonalSolve>, kRows},
};

}  // namespace micrort::frontend::tensorflow
