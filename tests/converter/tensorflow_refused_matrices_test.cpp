// TensorFlow's operators on matrices and their diagonals: operands that do not fit.

#include "tests/converter/tensorflow_operator.h"
#include "tests/refusal.h"

namespace micrort::testing::tensorflow_refused_matrices {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

constexpr char kOpenOrLarge[] = "a matrix whose size is not fixed, or of more than 16777216 elements";
constexpr char kTwoInOrder[] = "k: expected one diagonal, or two in ascending order";

TfOperator PartOf(const std::vector<int64_t>& shape, const std::vector<int32_t>& k) {
  TfOperator result("MatrixDiagPartV2");
  return result.X(shape).Integers(k).Float(0);
}

// k: the lowest and the highest diagonal.
TfOperator PlacedIn(int32_t rows, int32_t columns, const std::vector<int64_t>& diagonals,
                    const std::vector<int32_t>& k) {
  TfOperator result("MatrixDiagV2");
  return result.X(diagonals).Integers(k).Integer(rows).Integer(columns).Float(0);
}

TfOperator SetIn(const std::vector<int64_t>& shape, const std::vector<int64_t>& diagonals,
                 const std::vector<int32_t>& k) {
  TfOperator result("MatrixSetDiagV2");
  return result.X(shape).X(diagonals).Integers(k);
}

const Refusal kDiagonals[] = {
    {"NoDiagonal", MICRORT_STATUS(PartOf({2, 3}, {}).Import()), kTwoInOrder},
    {"ThreeDiagonals", MICRORT_STATUS(PartOf({2, 3}, {0, 0, 0}).Import()), kTwoInOrder},
    {"DiagonalsInDescendingOrder", MICRORT_STATUS(PartOf({2, 3}, {1, 0}).Import()), kTwoInOrder},
    {"DiagonalsFarOff", MICRORT_STATUS(PartOf({2, 3}, {0, (1 << 24) + 1}).Import()), kTwoInOrder},
    {"PartOfAnOpenSize", MICRORT_STATUS(PartOf({-1, 3}, {0}).Import()), kOpenOrLarge, kUnsupported},
    {"PartOfALargeMatrix", MICRORT_STATUS(PartOf({4097, 4097}, {0}).Import()), kOpenOrLarge, kUnsupported},
    {"PartsAboveTheMatrix", MICRORT_STATUS(PartOf({2, 3}, {1, 3}).Import()), "diagonals 1 to 3 of 2x3"},
    {"PartsUnderTheMatrix", MICRORT_STATUS(PartOf({2, 3}, {-2, 0}).Import()), "diagonals -2 to 0 of 2x3"},
    {"PartOfAVector", MICRORT_STATUS(TfOperator("MatrixDiagPart").X({2}).Import()), "it is no matrix"},
    {"PlacedScalar", MICRORT_STATUS(TfOperator("MatrixDiag").X({}).Import()), "the diagonal is a scalar"},
    {"PlacedOpenLength", MICRORT_STATUS(TfOperator("MatrixDiag").X({-1}).Import()),
     "the diagonal's length is not fixed", kUnsupported},
    {"PlacedInALargeMatrix", MICRORT_STATUS(TfOperator("MatrixDiag").X({4097}).Import()), kOpenOrLarge,
     kUnsupported},
    {"PlacedOutside", MICRORT_STATUS(PlacedIn(2, 3, {1}, {3}).Import()), "diagonal 3 of 2x3"},
    {"PlacedOfAnotherLength", MICRORT_STATUS(PlacedIn(3, 3, {2}, {0}).Import()),
     "diagonals of 2 elements: expected 3"},
    {"PlacedBandOfAnotherLength", MICRORT_STATUS(PlacedIn(3, 3, {2, 2}, {0, 1}).Import()),
     "expected 2 diagonals of 3 elements"},
    {"PlacedBandOfAnotherWidth", MICRORT_STATUS(PlacedIn(3, 3, {3, 3}, {0, 1}).Import()),
     "expected 2 diagonals of 3 elements"},
    {"PlacedBandOfOneRow", MICRORT_STATUS(PlacedIn(3, 3, {3}, {0, 1}).Import()),
     "expected 2 diagonals of 3 elements"},
    {"SetInAVector", MICRORT_STATUS(TfOperator("MatrixSetDiag").X({2}).X({2}).Import()), "it is no matrix"},
    {"SetOfAnotherRank", MICRORT_STATUS(SetIn({2, 3}, {2, 2}, {0}).Import()),
     "matrices of 2 dimensions, and diagonals of 2"},
    {"SetOfSeveralAsOne", MICRORT_STATUS(SetIn({2, 3}, {2}, {0, 1}).Import()),
     "matrices of 2 dimensions, and diagonals of 1"},
    {"TensorOfAnOpenSize", MICRORT_STATUS(TfOperator("Diag").X({-1}).Import()), "a size that is not fixed",
     kUnsupported},
    {"TensorTooLarge", MICRORT_STATUS(TfOperator("Diag").X({4097}).Import()), kOpenOrLarge, kUnsupported},
    {"PartOfAnOpenTensor", MICRORT_STATUS(TfOperator("DiagPart").X({-1, 2}).Import()),
     "expected a fixed size, and an even number of dimensions", kUnsupported},
    {"PartOfThreeDimensions", MICRORT_STATUS(TfOperator("DiagPart").X({2, 2, 2}).Import()),
     "expected a fixed size, and an even number of dimensions", kUnsupported},
    {"PartOfAScalar", MICRORT_STATUS(TfOperator("DiagPart").X({}).Import()),
     "expected a fixed size, and an even number of dimensions", kUnsupported},
    {"PartOfALargeTensor", MICRORT_STATUS(TfOperator("DiagPart").X({16777217, 16777217}).Import()),
     "a diagonal of more than 16777216 elements", kUnsupported},
    {"PartOfAnotherShape", MICRORT_STATUS(TfOperator("DiagPart").X({2, 3}).Import()), "it is not square"},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedDiagonals, kDiagonals);

Status FusedProduct(const std::string& ops) {
  return TfOperator("_FusedMatMul")
      .X({2, 2})
      .X({2, 2})
      .X({2})
      .With("fused_ops", "list { " + ops + "}")
      .Import();
}

const Refusal kMatrices[] = {
    {"FactorsOfAVector", MICRORT_STATUS(TfOperator("Cholesky").X({2}).Import()), "input 0 is no matrix"},
    {"SolvedForAVector", MICRORT_STATUS(TfOperator("MatrixSolve").X({2, 2}).X({2}).Import()),
     "input 1 is no matrix"},
    {"FactorsOfHalves", MICRORT_STATUS(TfOperator("Cholesky").X({2, 2}, "DT_HALF").Import()),
     "of type float16", kUnsupported},
    {"ProductOfAVector", MICRORT_STATUS(TfOperator("MatMul").X({2, 2}).X({2}).Import()),
     "input 1 is no matrix"},
    {"ProductFusedWithNothing", MICRORT_STATUS(FusedProduct("")),
     "fused_ops other than BiasAdd and activations", kUnsupported},
    {"ProductFusedWithAnActivation", MICRORT_STATUS(FusedProduct("s: 'Relu' ")),
     "fused_ops other than BiasAdd and activations", kUnsupported},
    {"ProductWithAnotherActivation", MICRORT_STATUS(FusedProduct("s: 'BiasAdd' s: 'Cosh' ")),
     "fused_ops has 'Cosh'", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedMatrices, kMatrices);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_matrices
