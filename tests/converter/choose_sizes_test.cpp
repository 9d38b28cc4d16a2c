// Sizes for which equations and bounds hold.

#include "converter/ir/size/choose_sizes.h"

#include <gtest/gtest.h>

#include <string>

namespace micrort::ir::size {
namespace {

using Kind = Need::Kind;

const Symbol kN{0}, kM{1}, kK{2};
const Expr n(kN), m(kM), k(kK);

// "n=3 m=2", or "none".
std::string Chosen(const std::vector<Need>& needs) {
  Witness witness;
  for (const Symbol symbol : {kN, kM, kK}) witness.AddFree(symbol, false);
  const auto chosen = ChooseSizes(needs, witness);
  if (!chosen) return "none";
  std::string text;
  for (const auto& [symbol, size] : *chosen)
    text += (text.empty() ? "" : " ") + std::string(1, "nmk"[symbol.id]) + "=" + std::to_string(size);
  return text;
}

TEST(ChooseSizes, KeepsWhatFits) {
  EXPECT_EQ(Chosen({{Kind::kAtMost, n, 224}}), "n=224");
  EXPECT_EQ(Chosen({{Kind::kAtMost, n, m}}), "n=224 m=256");
  EXPECT_EQ(Chosen({{Kind::kEqual, n, m}}), "n=224 m=224");
}

TEST(ChooseSizes, BesideNumbersOfTheExpressions) {
  EXPECT_EQ(Chosen({{Kind::kEqual, Min(n, 301), 300}}), "n=300");
  EXPECT_EQ(Chosen({{Kind::kEqual, FloorDiv(n, 100), 7}, {Kind::kAtMost, n, 750}}), "n=749");
}

TEST(ChooseSizes, OfProductsAndRemainders) {
  EXPECT_EQ(Chosen({{Kind::kEqual, n * m, 64}, {Kind::kAtMost, m + 1, n}}), "n=16 m=4");
  EXPECT_EQ(Chosen({{Kind::kEqual, Modulo(n, 7), 3}, {Kind::kAtMost, n, 40}, {Kind::kAtMost, 20, n}}),
            "n=24");
}

TEST(ChooseSizes, OfSeveralAtOnce) {
  EXPECT_EQ(Chosen({{Kind::kAtMost, 3, Max(n - m, 0)}, {Kind::kEqual, k, n - m}}), "n=224 m=0 k=224");
}

TEST(ChooseSizes, BroadcastsAreAlikeOrOne) {
  EXPECT_EQ(Chosen({{Kind::kBroadcast, n, 5}}), "n=1");
  EXPECT_EQ(Chosen({{Kind::kBroadcast, n, 5}, {Kind::kAtMost, 2, n}}), "n=5");
}

TEST(ChooseSizes, WhatContradictsItselfEnds) {
  EXPECT_EQ(Chosen({{Kind::kEqual, n * n + m * m + k * k, 7}}), "none");
  EXPECT_EQ(Chosen({{Kind::kAtMost, n, 3}, {Kind::kAtMost, 4, n}}), "none");
}

// Whose numbers, a table of all for each, would not fit into memory.
TEST(ChooseSizes, NothingIsChosenForTensOfThousands) {
  constexpr int32_t kMany = 50000;
  Witness witness;
  std::vector<Need> needs;
  for (int32_t i = 0; i < kMany; ++i) witness.AddFree(Symbol{i}, false);
  for (int32_t i = 1; i < kMany; ++i)
    needs.push_back({Kind::kAtMost, Expr(Symbol{i - 1}) + 1, Expr(Symbol{i})});
  EXPECT_FALSE(ChooseSizes(needs, witness));
}

// Of which each search for one copies the numbers of all.
TEST(ChooseSizes, EndsWithHundredsThatDependOnEachOther) {
  constexpr int32_t kMany = 400;
  Witness witness;
  std::vector<Need> needs;
  for (int32_t i = 0; i < kMany; ++i) witness.AddFree(Symbol{i}, false);
  for (int32_t i = 0; i < kMany; ++i)
    needs.push_back({Kind::kAtMost, Expr(Symbol{i}) + 1, Expr(Symbol{(i + 1) % kMany})});
  EXPECT_FALSE(ChooseSizes(needs, witness));
}

}  // namespace
}  // namespace micrort::ir::size
