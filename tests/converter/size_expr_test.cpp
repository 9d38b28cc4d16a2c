#include <gtest/gtest.h>

#include <random>

#include "converter/ir/size/expr.h"
#include "converter/ir/size/solver.h"

namespace micrort::ir::size {
namespace {

const Symbol kX{0}, kY{1}, kZ{2}, kV{3, true};
const Expr x(kX), y(kY), z(kZ), v(kV);

std::string Text(const Expr& e) {
  return TextOf(e, [](Symbol s) { return std::string(1, "xyzv"[s.id]); });
}

TEST(SizeExpr, SumsAndProductsAreCanonical) {
  EXPECT_EQ(x + y, y + x);
  EXPECT_EQ((x + 1) * (x - 1), x * x - 1);
  EXPECT_EQ(x - x, Expr(0));
  EXPECT_EQ(Text(Expr(2) * x * y - 3), "2*x*y - 3");
}

TEST(SizeExpr, FloorsAreCanonical) {
  EXPECT_EQ(FloorDiv(Expr(4) * x + 2, 2), Expr(2) * x + 1);
  EXPECT_EQ(FloorDiv(FloorDiv(x, 2), 3), FloorDiv(x, 6));
  EXPECT_EQ(FloorDiv(FloorDiv(x - 1, 2) + 1, 2), FloorDiv(x + 1, 4));
  EXPECT_EQ(FloorDiv(Expr(6) * x + 5, 4), x + FloorDiv(x + 2, 2));
  EXPECT_EQ(FloorDiv(x * y * 64, x * 8), Expr(8) * y);
  EXPECT_EQ(FloorDiv(x * y + x * z, y + z), x);
}

TEST(SizeExpr, BoundsDecide) {
  EXPECT_EQ(Max(x, 0), x);
  EXPECT_EQ(Max(x + 1, 1), x + 1);
  EXPECT_EQ(Min(x, -1), Expr(-1));
  EXPECT_EQ(IsNonNegative(x - FloorDiv(x, 2)), Expr(1));
  EXPECT_EQ(IsNonNegative(Min(x, 20)), Expr(1));
  EXPECT_EQ(LessOrEqual(Min(x, 20), 20), Expr(1));
  EXPECT_EQ(IsZero(x + 1), Expr(0));
  EXPECT_EQ(IsZero(Expr(2) * x - 3), Expr(0));
  EXPECT_FALSE(Max(v, 0).constant());
  EXPECT_NE(Max(v, 0), v);
}

// Whatever is clamped, of how many terms it may be.
TEST(SizeExpr, ClampsHaveBothBounds) {
  const Expr cut = Min(x, 99), other = Min(Max(v, -99), 99);
  for (const Expr& e : {v, x - y, other * cut, other * cut * Min(z, 50) - y}) {
    for (const Expr& clamped : {Min(Max(e, 1), 9), Max(Min(e, 9), 1)}) {
      EXPECT_EQ(clamped.range().least, 1) << Text(e);
      EXPECT_EQ(clamped.range().most, 9) << Text(e);
    }
  }
}

TEST(SizeExpr, TestsAreTheirOwnSquares) {
  const Expr small = Less(x, 20);
  EXPECT_EQ(small * small, small);
  EXPECT_EQ(small * (Expr(1) - small), Expr(0));
  EXPECT_EQ(IsZero(small), Expr(1) - small);
  EXPECT_EQ(Less(x, 20), Expr(1) - LessOrEqual(20, x));
}

TEST(SizeExpr, BroadcastsStayOpen) {
  EXPECT_EQ(Broadcast(x, 1), x);
  EXPECT_EQ(Broadcast(x, 7), Expr(7));
  EXPECT_EQ(Broadcast(x, x), x);
  EXPECT_EQ(Broadcast(Broadcast(x, y), x), Broadcast(y, x));
  EXPECT_EQ(Compare(Broadcast(x, y), x), Proof::kOpen);
}

TEST(SizeExpr, FloorsAreComparedByRemainders) {
  EXPECT_EQ(Compare(CeilDiv(x, 2), x - FloorDiv(x, 2)), Proof::kEqual);
  EXPECT_EQ(Compare(FloorDiv(x, 2) + FloorDiv(x + 1, 2), x), Proof::kEqual);
  EXPECT_EQ(Compare(FloorDiv(x, 2) + FloorDiv(x + 1, 2), x + 1), Proof::kDifferent);
  EXPECT_EQ(Compare(Expr(2) * FloorDiv(x, 2), x), Proof::kOpen);
}

TEST(SizeExpr, WhatIsTooLargeIsUnknownAndEqualsNothing) {
  const Expr huge = Expr(INT64_MAX) + 1;
  EXPECT_TRUE(huge.is_unknown());
  EXPECT_NE(huge, huge);
  EXPECT_EQ(Compare(huge, huge), Proof::kOpen);
  EXPECT_TRUE((huge - huge).is_unknown());
  Expr power = x + y + z + 1;
  for (int i = 0; i < 5; ++i) power = power * power;
  EXPECT_TRUE(power.is_unknown());
  EXPECT_TRUE(FloorDiv(x, 0).is_unknown());
}

// Whatever is simplified has the value of what was written down.
TEST(SizeExpr, RandomExpressionsHaveTheValuesOfTheirParts) {
  std::mt19937 random(7);
  const auto any = [&](int64_t from, int64_t to) {
    return std::uniform_int_distribution<int64_t>(from, to)(random);
  };
  for (int round = 0; round < 500; ++round) {
    const int64_t values[] = {any(0, 9), any(0, 9), any(0, 300), any(-9, 9)};
    const auto value_of = [&](Symbol s) { return std::optional<int64_t>(values[s.id]); };
    std::vector<std::pair<Expr, int64_t>> made;
    for (const Symbol s : {kX, kY, kZ, kV}) made.emplace_back(Expr(s), values[s.id]);
    made.emplace_back(Expr(round % 7 - 3), round % 7 - 3);
    for (int step = 0; step < 8; ++step) {
      const auto [a, p] = made[static_cast<size_t>(any(0, static_cast<int64_t>(made.size()) - 1))];
      const auto [b, q] = made[static_cast<size_t>(any(0, static_cast<int64_t>(made.size()) - 1))];
      const int64_t k = any(1, 6);
      const auto floor = [](int64_t n, int64_t d) { return n / d - (n % d != 0 && (n < 0) != (d < 0)); };
      switch (any(0, 8)) {
        case 0:
          made.emplace_back(a + b, p + q);
          break;
        case 1:
          made.emplace_back(a - b, p - q);
          break;
        case 2:
          made.emplace_back(Expr(k) * a, k * p);
          break;
        case 3:
          made.emplace_back(FloorDiv(a, k), floor(p, k));
          break;
        case 4:
          made.emplace_back(Max(a, b), std::max(p, q));
          break;
        case 5:
          made.emplace_back(Min(a, b), std::min(p, q));
          break;
        case 6:
          made.emplace_back(Equal(a, b), p == q);
          break;
        case 7:
          made.emplace_back(Less(a, b), p < q);
          break;
        default:
          if (q != 0) made.emplace_back(FloorDiv(a, b), floor(p, q));
      }
      const auto& [e, expected] = made.back();
      if (e.is_unknown()) continue;
      const auto found = Evaluate(e, value_of);
      ASSERT_TRUE(found) << Text(e);
      ASSERT_EQ(*found, expected) << Text(e) << " in round " << round;
      const Range range = e.range();
      ASSERT_LE(range.least, expected) << Text(e);
      ASSERT_GE(range.most, expected) << Text(e);
      const Proof proof = Compare(a, b);
      ASSERT_FALSE(proof == (p == q ? Proof::kDifferent : Proof::kEqual)) << Text(a) << " and " << Text(b);
    }
  }
}

// Each step doubles what is written out; it becomes unknown before that takes time.
TEST(SizeExpr, NestedExpressionsEnd) {
  Expr e = x;
  for (int i = 0; i < 200; ++i) e = Max(e, y) + FloorDiv(e + z, 3);
  EXPECT_TRUE(e.is_unknown());
}

struct Symbols {
  SymbolTable table;
  Solver solver{&table};
  Expr New(const std::string& name) { return Expr(table.Add(name)); }
};

TEST(SizeSolver, BindsSumsToWhatTheyAre) {
  Symbols s;
  const Expr past = s.New("past"), now = s.New("now"), mask = s.New("mask");
  EXPECT_TRUE(s.solver.RequireEqual(mask, past + now));
  EXPECT_EQ(s.solver.Resolve(mask), past + now);
  EXPECT_TRUE(s.solver.RequireEqual(mask, past + now));
  EXPECT_FALSE(s.solver.RequireEqual(mask + 1, past + now));
  EXPECT_EQ(s.solver.TextOf(mask), "now + past");
}

TEST(SizeSolver, BindsMultiplesToNumbers) {
  Symbols s;
  const Expr n = s.New("n"), m = s.New("m");
  EXPECT_TRUE(s.solver.RequireEqual(Expr(3072) * n, 3072));
  EXPECT_EQ(s.solver.Resolve(n), Expr(1));
  EXPECT_FALSE(s.solver.RequireEqual(Expr(2) * m, 7));
  EXPECT_FALSE(s.solver.RequireEqual(m, -1));
}

TEST(SizeSolver, SkipConnectionsWantEvenSizes) {
  Symbols s;
  const Expr h = s.New("h");
  EXPECT_TRUE(s.solver.RequireEqual(Expr(4) * CeilDiv(h, 4), h));
  EXPECT_TRUE(s.solver.AreEqual(Expr(4) * FloorDiv(h, 4), h));
  EXPECT_TRUE(s.solver.AreEqual(Expr(2) * FloorDiv(h, 2), h));
  EXPECT_FALSE(s.solver.AreEqual(Expr(8) * FloorDiv(h, 8), h));
}

TEST(SizeSolver, KeepsWhatItCannotSolve) {
  Symbols s;
  const Expr a = s.New("a"), b = s.New("b");
  EXPECT_TRUE(s.solver.RequireEqual(a * b, 64));
  EXPECT_FALSE(s.solver.Resolve(a).constant());
  ASSERT_EQ(s.solver.relations().size(), 1u);
  // No b makes 5 b = 64.
  EXPECT_FALSE(s.solver.RequireEqual(a, 5));
}

TEST(SizeSolver, KnowsWhatNeedsASize) {
  Symbols s;
  const Expr a = s.New("a"), b = s.New("b");
  EXPECT_TRUE(s.solver.RequireEqual(b, a + 1, "first"));
  EXPECT_TRUE(s.solver.RequireEqual(a, 4, "second"));
  EXPECT_EQ(s.solver.WhyOf(*a.symbol()), "second");
  EXPECT_EQ(s.solver.WhyOf(*b.symbol()), "second");
  EXPECT_EQ(s.solver.Resolve(b), Expr(5));
}

TEST(SizeSolver, CopiesLearnApart) {
  Symbols s;
  const Expr a = s.New("a");
  Solver branch = s.solver;
  EXPECT_TRUE(branch.RequireEqual(a, 512));
  EXPECT_EQ(branch.Resolve(a), Expr(512));
  EXPECT_EQ(s.solver.Resolve(a), a);
}

}  // namespace
}  // namespace micrort::ir::size
