// TorchScript's operators that read and write elements at positions: indices that do not fit.

#include "tests/converter/torch_code_refusals.h"

namespace micrort::testing::torch_refused_indices {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

const Refusal kIndices[] = {
    {"IndicesThatAreNoList", MICRORT_STATUS(ImportExpression("torch.index(x, torch.tensor([0]))")),
     "indices that are no list"},
    {"MoreIndicesThanDimensions",
     MICRORT_STATUS(ImportCode("    i = torch.tensor([0])\n    return torch.index(x, [i, i, i])\n")),
     "3 indices for 2 dimensions"},
    {"NoIndices", MICRORT_STATUS(ImportExpression("torch.index(x, [None])")), "1 indices for 2 dimensions"},
    {"MaskBesideIndices",
     MICRORT_STATUS(ImportExpression("torch.index(x, [torch.gt(x, 0), torch.tensor([0])])")),
     "a mask beside other indices", kUnsupported},
    {"TakeAlongAnotherRank",
     MICRORT_STATUS(ImportExpression("torch.take_along_dim(x, torch.tensor([0]), 0)")),
     "indices of another rank"},
    {"UnknownNumberOfClasses", MICRORT_STATUS(ImportExpression("torch.one_hot(torch.to(x, 4))")),
     "a number of classes that is not given", kUnsupported},
    {"ShiftsWithoutDimensions", MICRORT_STATUS(ImportExpression("torch.roll(x, [1, 1], [0])")),
     "2 shifts for 1 dimensions"},
    {"UnknownModeOfSampling",
     MICRORT_STATUS(ImportExpression("torch.grid_sampler(x, torch.ones([1, 2, 2, 2]), 0, 3)", {1, 1, 2, 2})),
     "mode 0, padding 3"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedIndices, kIndices);

Status Scatter(const std::string& self, const std::string& reduce) {
  return ImportExpression("torch.scatter_reduce(" + self + ", 0, torch.to(x, 4), " + self + ", \"" + reduce +
                          "\")");
}

const Refusal kScatter[] = {
    {"UnknownReductionByItsName",
     MICRORT_STATUS(ImportExpression("torch.scatter(x, 0, torch.to(x, 4), x, reduce=\"mean\")")),
     "reduce 'mean'"},
    {"UnknownReduction", MICRORT_STATUS(Scatter("x", "median")), "reduce 'median'", kUnsupported},
    {"MeanOfIntegers", MICRORT_STATUS(Scatter("torch.to(x, 4)", "mean")), "reduce 'mean' of integers",
     kUnsupported},
    {"UnpoolAMatrix", MICRORT_STATUS(ImportExpression("torch.max_unpool2d(x, torch.to(x, 4), [2, 2])")),
     "a tensor of 2 dimensions"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedScatter, kScatter);

// Bags of three rows of a table.
Status Bags(const std::string& offsets, const std::string& more = "", const Dims& shape = {2}) {
  return ImportExpression(
      "torch.embedding_bag(torch.ones([4, 2]), torch.tensor([0, 1, 2]), " + offsets + more + ")[0]", shape);
}

const Refusal kBags[] = {
    {"BagThatEndsBeforeItBegins", MICRORT_STATUS(Bags("torch.tensor([2, 1])")), "a bag from 2 to 1 of 3"},
    {"BagBeyondTheEnd", MICRORT_STATUS(Bags("torch.tensor([0, 4])")), "a bag from 0 to 4 of 3"},
    {"ManyBagsOfARun", MICRORT_STATUS(Bags("x", "", {(1 << 20) + 1})), "1048577 bags of 3 rows",
     kUnsupported},
    {"BagsOfAnUnknownMode", MICRORT_STATUS(Bags("torch.tensor([0])", ", False, 3")), "mode 3"},
    {"NoBags", MICRORT_STATUS(Bags("torch.tensor([0])", ", False, 0, False, None, True")), "no bags",
     kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedBags, kBags);

}  // namespace
}  // namespace micrort::testing::torch_refused_indices
