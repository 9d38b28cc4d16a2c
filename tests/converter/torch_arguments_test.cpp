// TorchScript's operators with rare arguments, types and ranks. tests/networks/torch_arguments.py compares
// more with PyTorch.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/converter/converted.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing::torch_arguments {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::FloatNear;

// The expression of x.
Floats Of(const std::string& expression, const std::vector<int64_t>& shape, const Floats& x) {
  const std::string bytes =
      TorchArchive("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n    return " + expression +
                   "\n")
          .Bytes();
  return RunTorch(bytes, {{"x", shape}}, {{"x", x}})["output"];
}

TEST(TorchArguments, ADivisorIsThatOfWindowsBeyondThePaddingToo) {
  // Windows of 3 at -1, 1 and 3, of which the last one ends at 6, two behind the end.
  EXPECT_THAT(Of("torch.avg_pool2d(x, [1, 3], [1, 2], [0, 1], True, False, 2)", {1, 1, 1, 4}, {1, 2, 3, 4}),
              ElementsAre(1.5f, 4.5f, 2.0f));
  EXPECT_THAT(Of("torch.avg_pool2d(x, [1, 3], [1, 2], [0, 1], False, False, 2)", {1, 1, 1, 4}, {1, 2, 3, 4}),
              ElementsAre(1.5f, 4.5f));
  // Windows of 2 at 0 and 5: another one would begin behind the end.
  EXPECT_THAT(Of("torch.avg_pool1d(x, [2], [5], [0], True)", {1, 1, 8}, {1, 2, 3, 4, 5, 6, 7, 8}),
              ElementsAre(1.5f, 6.5f));
  EXPECT_THAT(Of("torch.avg_pool2d(x, [1, 2], [1, 5], [0, 0], True, False, 4)", {1, 1, 1, 8},
                 {1, 2, 3, 4, 5, 6, 7, 8}),
              ElementsAre(0.75f, 3.25f));
}

TEST(TorchArguments, RowsOfPaddingAreInNoBag) {
  const std::string bag =
      "torch.embedding_bag(x, torch.tensor([2, 0, 1, 2]), torch.tensor([0, 2, 3]), False, ";
  const Floats table = {1, 10, 2, 20, 4, 40};
  EXPECT_THAT(Of(bag + "0, False, None, False, -1)[0]", {3, 2}, table), ElementsAre(1, 10, 2, 20, 0, 0));
  EXPECT_THAT(Of(bag + "1, False, None, False, 0)[0]", {3, 2}, table), ElementsAre(4, 40, 2, 20, 4, 40));
  EXPECT_THAT(Of(bag + "2, False, None, False, None)[0]", {3, 2}, table), ElementsAre(4, 40, 2, 20, 4, 40));
}

TEST(TorchArguments, InfiniteRowsAreInTheirOwnBagsOnly) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::string bag =
      "torch.embedding_bag(x, torch.tensor([0, 1, 2, 1]), torch.tensor([0, 1, 3]), False, ";
  const Floats table = {kInfinity, 10, 2, 20, 4, -kInfinity, 0, 0};
  EXPECT_THAT(Of(bag + "0, False, None, False, -1)[0]", {4, 2}, table),
              ElementsAre(kInfinity, 10, 6, -kInfinity, 2, 20));
  EXPECT_THAT(Of(bag + "1, False, None, False, -1)[0]", {4, 2}, table),
              ElementsAre(kInfinity, 10, 3, -kInfinity, 2, 20));
  EXPECT_THAT(Of(bag + "2, False, None, False, -1)[0]", {4, 2}, table),
              ElementsAre(kInfinity, 10, 4, 20, 2, 20));
}

TEST(TorchArguments, FunctionsAtTheirPoles) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(Of("torch.erfinv(x)", {3}, {-1, 0, 1}), ElementsAre(-kInfinity, 0, kInfinity));
  EXPECT_THAT(Of("torch.lgamma(x)", {4}, {0, -1, -2, kInfinity}),
              ElementsAre(kInfinity, kInfinity, kInfinity, kInfinity));
  EXPECT_TRUE(std::isnan(Of("torch.digamma(x)", {1}, {-2})[0]));
  EXPECT_THAT(Of("torch.special_erfcx(x)", {2}, {5, 20}),
              ElementsAre(FloatEq(0.11070463f), FloatEq(0.02817435f)));
}

TEST(TorchArguments, SmallNumbersKeepTheirDigits) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto near = [](float v) { return FloatNear(v, 1e-5f * v); };
  EXPECT_THAT(Of("torch.log1p(x)", {4}, {1e-8f, 9, kInfinity, -1}),
              ElementsAre(near(1e-8f), near(2.302585f), kInfinity, -kInfinity));
  EXPECT_THAT(Of("torch.expm1(x)", {4}, {1e-8f, 2, kInfinity, -kInfinity}),
              ElementsAre(near(1e-8f), near(6.389056f), kInfinity, -1));
  EXPECT_THAT(Of("torch.erfc(x)", {4}, {3, 6, kInfinity, -kInfinity}),
              ElementsAre(near(2.209050e-5f), near(2.1519737e-17f), 0, 2));
  EXPECT_THAT(Of("torch.to(torch.mul(torch.log1p(torch.to(x, 7)), 1e12), 6)", {1}, {1e-12f}),
              ElementsAre(near(1)));
  EXPECT_THAT(Of("torch.logaddexp(x, torch.zeros([1]))", {1}, {-20}), ElementsAre(near(2.0611537e-9f)));
  EXPECT_THAT(Of("torch.log1p(torch.exp(x))", {3}, {-20, 1, 100}),
              ElementsAre(near(2.0611537e-9f), near(1.3132617f), 100));
}

TEST(TorchArguments, NumbersOfTheCodeAreExact) {
  const std::string whole = "torch.to(torch.sub(torch.add(torch.to(x, 3), 16777217), 16777216), 6)";
  EXPECT_THAT(Of(whole, {1}, {1}), ElementsAre(2));
  EXPECT_THAT(Of("torch.to(torch.remainder(torch.mul(torch.to(x, 4), 9007199254740993), 10), 6)", {1}, {1}),
              ElementsAre(3));
  // They wrap around, as sums do.
  EXPECT_THAT(Of("torch.to(torch.sub(torch.to(x, 0), 1), 6)", {2}, {0, 5}), ElementsAre(255, 4));
  EXPECT_THAT(Of("torch.to(torch.add(torch.to(x, 0), torch.to(x, 0), alpha=-1), 6)", {1}, {5}),
              ElementsAre(0));
  EXPECT_THAT(Of("torch.to(torch.full([1], 16777217, dtype=3) - 16777216 + torch.to(x, 3), 6)", {1}, {1}),
              ElementsAre(2));
}

TEST(TorchArguments, AQuotientThatIsRoundedUpIsNoWholeOne) {
  const Floats x = {1, -1, 7, -7};
  EXPECT_THAT(Of("torch.floor_divide(x, 0.1)", {4}, x), ElementsAre(9, -10, 69, -70));
  EXPECT_THAT(
      Of("torch.remainder(x, 0.1)", {4}, x),
      ElementsAre(FloatNear(0.1f, 1e-6f), FloatNear(0, 1e-6f), FloatNear(0.1f, 1e-6f), FloatNear(0, 1e-6f)));
}

TEST(TorchArguments, IntegersBetweenFloatsAreFloats) {
  EXPECT_THAT(Of("torch.mul(torch.clamp(torch.to(x, 4), 0.5, 2.5), 1)", {3}, {0, 1, 3}),
              ElementsAre(0.5f, 1, 2.5f));
  EXPECT_THAT(Of("torch.mul(torch.clamp_min(torch.to(x, 4), 0.5), 1)", {2}, {0, 3}), ElementsAre(0.5f, 3));
}

TEST(TorchArguments, ATensorWithoutDimensionsIsAVectorOfOne) {
  for (const char* same :
       {"torch.cumsum(x, 0)", "torch.sort(x, -1)[0]", "torch.max(x, 0)[0]", "torch.median(x, 0)[0]",
        "torch.topk(x, 1)[0]", "torch.cummax(x, 0)[0]", "torch.mode(x)[0]",
        "torch.index_add(torch.zeros_like(x), 0, torch.tensor([0]), x)"}) {
    EXPECT_THAT(Of(same, {}, {2.5f}), ElementsAre(2.5f)) << same;
  }
  EXPECT_THAT(Of("torch.softmax(x, 0)", {}, {2.5f}), ElementsAre(1));
  EXPECT_THAT(Of("torch.to(torch.argmax(x, 0), 6)", {}, {2.5f}), ElementsAre(0));
  EXPECT_THAT(Of("torch.max(x, torch.ones([3]))", {}, {2.5f}), ElementsAre(2.5f, 2.5f, 2.5f));
}

TEST(TorchArguments, ArgumentsThatAreGivenByTheirNames) {
  const std::vector<int64_t> two{2, 2};
  const Floats x = {3, 1, 2, 4};
  EXPECT_THAT(Of("torch.sort(x, stable=True, dim=0, descending=True)[0]", two, x), ElementsAre(3, 4, 2, 1));
  EXPECT_THAT(Of("torch.scatter(x, 0, torch.tensor([[1, 0]]), x, reduce=\"multiply\")", two, x),
              ElementsAre(3, 1, 6, 4));
  EXPECT_THAT(Of("torch.diff(x, 1, 1, x)", two, x), ElementsAre(-2, 2, -2, 2, -2, 2));
  EXPECT_THAT(Of("torch.slice_scatter(torch.zeros([4, 2]), x, 0, 1, 4, 2)", two, x),
              ElementsAre(0, 0, 3, 1, 0, 0, 2, 4));
  EXPECT_THAT(Of("torch.quantile(x, 0.5, 1, False, interpolation=\"lower\")", two, x), ElementsAre(1, 2));
}

TEST(TorchArguments, InfinitiesBecomeTheLargestNumberOfTheType) {
  const std::string doubles = "torch.nan_to_num(torch.to(x, 7))";
  EXPECT_THAT(Of("torch.to(torch.log10(" + doubles + "), 6)", {1}, {std::numeric_limits<float>::infinity()}),
              ElementsAre(FloatEq(308.25473f)));
}

}  // namespace
}  // namespace micrort::testing::torch_arguments
