// TorchScript's operators whose numbers follow from open sizes.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing::torch_open_sizes {
namespace {

// x is [2, n]: 1, 2, 3 ...; what these lines return.
std::string OutputOf(const std::string& lines, int64_t n) {
  const std::string methods =
      "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n    n = torch.size(x, 1)\n" + lines;
  ConvertOptions options;
  options.input_shapes = {{"x", {2, -1}}};
  return Converted("model.pt", TorchArchive(methods).Bytes(), options).Run({Counting({2, n})});
}

TEST(TorchOpenSizes, TrianglesFromAComputedDiagonal) {
  const std::string lines = "    return torch.tril(x, torch.sub(n, 3))\n";
  EXPECT_EQ(OutputOf(lines, 3), "2x3: 1 0 0 4 5 0");
  EXPECT_EQ(OutputOf(lines, 2), "2x2: 0 0 3 0");
}

TEST(TorchOpenSizes, PartsOfComputedPlaceAndLength) {
  const std::string lines = "    return torch.narrow(x, 1, torch.floordiv(n, 2), torch.sub(n, 2))\n";
  EXPECT_EQ(OutputOf(lines, 4), "2x2: 3 4 7 8");
  EXPECT_EQ(OutputOf(lines, 3), "2x1: 2 5");
  EXPECT_EQ(OutputOf("    return torch.narrow(x, 1, torch.neg(2), 1)\n", 3), "2x1: 2 5");
}

TEST(TorchOpenSizes, PartsOfComputedSizes) {
  const std::string lines =
      "    a, b = torch.split_with_sizes(x, [torch.sub(n, 1), 1], 1)\n    return torch.cat([b, a], 1)\n";
  EXPECT_EQ(OutputOf(lines, 3), "2x3: 3 1 2 6 4 5");
  EXPECT_EQ(OutputOf(lines, 2), "2x2: 2 1 4 3");
}

TEST(TorchOpenSizes, RolledByAnyNumber) {
  EXPECT_EQ(OutputOf("    return torch.roll(x, [4], [1])\n", 3), "2x3: 3 1 2 6 4 5");
  EXPECT_EQ(OutputOf("    return torch.roll(x, [torch.neg(n), torch.sub(n, 1)], [0, 1])\n", 3),
            "2x3: 5 6 4 2 3 1");
}

TEST(TorchOpenSizes, AWindowThatIsTheWholeImage) {
  const std::string image = "    y = torch.unsqueeze(x, 0)\n    s = torch.size(y)\n";
  EXPECT_EQ(OutputOf(image + "    return torch.avg_pool2d(y, [s[1], s[2]])\n", 2), "1x1x1: 2.5");
  EXPECT_EQ(OutputOf(image + "    return torch.max_pool1d(y, [n])\n", 3), "1x2x1: 3 6");
  EXPECT_THAT(OutputOf(image + "    return torch.avg_pool1d(y, [torch.add(n, 1)])\n", 3),
              ::testing::HasSubstr("expected a list of known integers"));
}

// PyTorch copies no dimension: 0 is a size.
TEST(TorchOpenSizes, ReshapedToNoElements) {
  const std::string part = "    y = torch.slice(x, 1, torch.neg(1), torch.neg(3), 1)\n";
  const std::string product = "torch.mul(torch.size(y, 0), torch.size(y, 1))";
  EXPECT_EQ(OutputOf(part + "    return torch.reshape(y, [" + product + ", 1])\n", 3), "0x1:");
  EXPECT_EQ(OutputOf(part + "    return torch.reshape_as(y, torch.t(y))\n", 3), "0x2:");
  const std::string end = "torch.floordiv(n, 3)";
  EXPECT_EQ(
      OutputOf("    y = torch.slice(x, 1, 0, " + end + ", 1)\n    return torch.reshape_as(y, torch.t(y))\n",
               2),
      "0x2:");
}

// Rows repeated as often as data say, for which a bound is stated.
TEST(TorchOpenSizes, RepeatedByCountsOfARun) {
  const std::string code =
      "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
      "    return torch.repeat_interleave(x, torch.to(torch.select(x, 1, 0), 4), 0)\n";
  ConvertOptions options;
  options.input_shapes = {{"x", {-1, 2}}};
  options.max_sizes = {{"output", 4}};
  Converted converted("model.pt", TorchArchive(code).Bytes(), options);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_EQ(converted.Run({Array<float>({2, 2}, {3, 7, 0, 8})}), "3x2: 3 7 3 7 3 7");
  EXPECT_EQ(converted.Run({Array<float>({3, 2}, {1, 7, 2, 8, 1, 9})}), "4x2: 1 7 2 8 2 8 1 9");
  EXPECT_THAT(converted.Run({Array<float>({1, 2}, {5, 5})}), ::testing::HasSubstr("came to 5"));
}

// Sign of what is returned: whether this is true for x of n columns.
std::string Truth(const std::string& condition, int64_t n) {
  return OutputOf("    m = torch.add(n, 1)\n    if " + condition +
                      ":\n      y = torch.ones([1])\n    else:\n      y = torch.zeros([1])\n    return y\n",
                  n);
}

TEST(TorchOpenSizes, ListsOfSizesAreComparedInTheRun) {
  const struct {
    const char* condition;
    int64_t true_of, false_of;
  } cases[] = {{"torch.__contains__([7, n], 3)", 3, 4},
               {"torch.__contains__([1, 3, 4], n)", 4, 5},
               {"torch.__contains__([(n, 1), (2, 2)], (3, 1))", 3, 2},
               {"torch.eq(torch.size(x), [2, 3])", 3, 4},
               {"torch.ne([2, 3], torch.size(x))", 4, 3},
               {"torch.eq([n, 1], [n, 1])", 3, -1},
               {"torch.eq([n, 1], [n, 2])", -1, 3},
               {"torch.eq([n, 1], [n])", -1, 3},
               {"torch.eq(torch.sum([n, m, 1]), 8)", 3, 4},
               {"torch.all([torch.gt(n, 2), True, torch.lt(n, 5)])", 4, 5},
               {"torch.any([torch.gt(n, 9), False, torch.lt(n, 3)])", 2, 3}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.condition);
    if (c.true_of > 0) {
      EXPECT_EQ(Truth(c.condition, c.true_of), "1: 1");
    }
    if (c.false_of > 0) {
      EXPECT_EQ(Truth(c.condition, c.false_of), "1: 0");
    }
  }
}

TEST(TorchOpenSizes, ListsOfSizesAreSortedInTheRun) {
  const std::string of_three = "    l = sorted([n, 4, torch.sub(9, n)])\n    return torch.tensor(l)\n";
  EXPECT_EQ(OutputOf(of_three, 3), "3: 3 4 6");
  EXPECT_EQ(OutputOf(of_three, 7), "3: 2 4 7");
  EXPECT_EQ(OutputOf("    l = [4, n]\n    torch.sort(l, True)\n    return torch.tensor(l)\n", 7), "2: 7 4");
  const std::string extremes = "    return torch.tensor([ops.prim.min([n, 4, m]), ops.prim.max([4, n])])\n";
  EXPECT_EQ(OutputOf("    m = torch.sub(n, 2)\n" + extremes, 3), "2: 1 4");
  EXPECT_EQ(OutputOf("    m = torch.sub(n, 2)\n" + extremes, 7), "2: 4 7");
}

TEST(TorchOpenSizes, WhatCannotBeComparedInTheRunIsRefused) {
  using ::testing::HasSubstr;
  EXPECT_THAT(Truth("torch.eq(torch.index([n, 3], 3), 1)", 3), HasSubstr("'index' of a list with numbers"));
  EXPECT_THAT(Truth("torch.eq(torch.count([n, 3], 3), 1)", 3), HasSubstr("'count' of a list with numbers"));
  EXPECT_THAT(Truth("torch.__contains__(torch.mul([n], 2000), 3)", 3), HasSubstr("more than 1024 elements"));
  EXPECT_THAT(Truth("torch.__contains__({3: 1}, n)", 3), HasSubstr("a key of a dictionary"));
  EXPECT_THAT(Truth("torch.eq({3: 1}[n], 1)", 3), HasSubstr("a key of a dictionary"));
  EXPECT_THAT(Truth("torch.eq({n: 1}[3], 1)", 3), HasSubstr("a key of a dictionary"));
  EXPECT_THAT(Truth("torch.eq(str(n), \"3\")", 3), HasSubstr("parts of which are not known"));
  EXPECT_THAT(Truth("torch.eq(torch.format(\"{}\", 0.5), \"0.5\")", 3),
              HasSubstr("parts of which are not known"));
  EXPECT_THAT(Truth("torch.__contains__([\"3\"], str(n))", 3), HasSubstr("a text that a run decides"));
}

TEST(TorchOpenSizes, FilledWithAComputedNumberOfItsType) {
  EXPECT_EQ(OutputOf("    return torch.mul(torch.full([n], float(n)), 0.5)\n", 3), "3: 1.5 1.5 1.5");
}

}  // namespace
}  // namespace micrort::testing::torch_open_sizes
