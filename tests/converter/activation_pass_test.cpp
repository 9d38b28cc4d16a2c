// Activations out of their parts.

#include <gtest/gtest.h>

#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using testing::Outline;
using testing::RunPasses;
using testing::TestGraph;

void ExpectOneUnary(const TestGraph& g, schema::UnaryKind kind) {
  ASSERT_EQ(Outline(g.graph), "y = Unary(x)\n");
  EXPECT_EQ(g.graph.nodes[0]->as<schema::UnaryOptionsT>().kind, kind);
}

// 1 + erf(x * factor), with the factor as a multiplication or a division.
ir::ValueId ErfGate(TestGraph& g, ir::ValueId x, float factor = 0.70710678f, bool divide = false) {
  const auto scaled = divide
                          ? g.Binary("scaled", schema::BinaryKind::Div, x, g.Constant("f", {}, {1 / factor}))
                          : g.Binary("scaled", schema::BinaryKind::Mul, x, g.Constant("f", {}, {factor}));
  return g.Binary("gate", schema::BinaryKind::Add, g.Unary("erf", schema::UnaryKind::Erf, scaled),
                  g.Constant("one", {1}, {1}));
}

// 1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)); the cubic as a sum or as x * (1 + 0.044715 * x^2).
ir::ValueId TanhGate(TestGraph& g, ir::ValueId x, bool factored, bool power) {
  const auto one = g.Constant("one", {}, {1});
  const auto c = g.Constant("c", {}, {0.044715f});
  ir::ValueId cubic;
  if (factored) {
    const auto square = g.Binary("square", schema::BinaryKind::Mul, x, x);
    const auto term =
        g.Binary("term", schema::BinaryKind::Add, one, g.Binary("cs", schema::BinaryKind::Mul, square, c));
    cubic = g.Binary("cubic", schema::BinaryKind::Mul, x, term);
  } else {
    const auto cube = power ? g.Binary("cube", schema::BinaryKind::Pow, x, g.Constant("three", {}, {3}))
                            : g.Binary("cube", schema::BinaryKind::Mul,
                                       g.Binary("square", schema::BinaryKind::Mul, x, x), x);
    cubic = g.Binary("cubic", schema::BinaryKind::Add, x, g.Binary("cc", schema::BinaryKind::Mul, c, cube));
  }
  const auto scaled = g.Binary("scaled", schema::BinaryKind::Mul, cubic, g.Constant("s", {}, {0.7978846f}));
  return g.Binary("gate", schema::BinaryKind::Add, one, g.Unary("tanh", schema::UnaryKind::Tanh, scaled));
}

// The product x * gate * c in its arrangements.
void MakeProduct(TestGraph& g, ir::ValueId x, ir::ValueId gate, int form, float c = 0.5f) {
  const auto constant = g.Constant("constant", {}, {c});
  const auto inverse = g.Constant("inverse", {}, {1 / c});
  const auto multiply = [&g](const char* name, ir::ValueId a, ir::ValueId b) {
    return g.Binary(name, schema::BinaryKind::Mul, a, b);
  };
  if (form == 0) g.Output(multiply("y", multiply("p", x, gate), constant));
  if (form == 1) g.Output(multiply("y", multiply("p", constant, x), gate));
  if (form == 2) g.Output(multiply("y", x, multiply("p", gate, constant)));
  if (form == 3) g.Output(g.Binary("y", schema::BinaryKind::Div, multiply("p", gate, x), inverse));
}

TEST(RecognizeGeluPass, ExactHoweverItIsWritten) {
  for (int form = 0; form < 4; ++form) {
    TestGraph g;
    const auto x = g.Input("x", {2, 30});
    MakeProduct(g, x, ErfGate(g, x, 0.70710678f, form % 2 == 0), form);
    EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeGelu}, 1e-5f));
    ExpectOneUnary(g, schema::UnaryKind::Gelu);
  }
}

TEST(RecognizeGeluPass, ByTanhHoweverItIsWritten) {
  for (int form = 0; form < 6; ++form) {
    TestGraph g;
    const auto x = g.Input("x", {2, 30});
    MakeProduct(g, x, TanhGate(g, x, form % 2 == 0, form > 2), form % 4);
    EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeGelu}, 1e-5f));
    ExpectOneUnary(g, schema::UnaryKind::GeluTanh);
  }
}

TEST(RecognizeGeluPass, OperandsThatAreProductsThemselves) {
  TestGraph g;
  const auto x = g.Binary("h", schema::BinaryKind::Mul, g.Input("a", {2, 30}), g.Input("b", {2, 30}));
  MakeProduct(g, x, ErfGate(g, x), 1);
  EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeGelu}, 1e-5f));
  EXPECT_EQ(Outline(g.graph), "h = Binary(a, b)\ny = Unary(h)\n");
}

TEST(RecognizeGeluPass, OtherFactorsAndOperandsStay) {
  for (int wrong = 0; wrong < 3; ++wrong) {
    TestGraph g;
    const auto x = g.Input("x", {2, 30});
    const auto gate = ErfGate(g, x, wrong == 0 ? 0.7f : 0.70710678f);
    MakeProduct(g, wrong == 1 ? g.Input("z", {2, 30}) : x, gate, 1, wrong == 2 ? 0.25f : 0.5f);
    EXPECT_FALSE(RunPasses(g.graph, {passes::RecognizeGelu}));
  }
}

TEST(RecognizeActivationsPass, SigmoidOutOfExp) {
  for (const bool reciprocal : {false, true}) {
    TestGraph g;
    const auto e =
        g.Unary("e", schema::UnaryKind::Exp, g.Unary("minus", schema::UnaryKind::Neg, g.Input("x", {2, 30})));
    const auto one = g.Constant("one", {}, {1});
    const auto sum = g.Binary("sum", schema::BinaryKind::Add, one, e);
    g.Output(reciprocal ? g.Unary("y", schema::UnaryKind::Reciprocal, sum)
                        : g.Binary("y", schema::BinaryKind::Div, one, sum));
    EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeActivations}, 1e-5f));
    ExpectOneUnary(g, schema::UnaryKind::Sigmoid);
  }
}

TEST(RecognizeActivationsPass, MishOutOfSoftplusOrLog) {
  for (const bool spelled_out : {false, true}) {
    TestGraph g;
    const auto x = g.Input("x", {2, 30});
    const auto sum = g.Binary("sum", schema::BinaryKind::Add, g.Unary("e", schema::UnaryKind::Exp, x),
                              g.Constant("one", {}, {1}));
    const auto softplus = spelled_out ? g.Unary("softplus", schema::UnaryKind::Log, sum)
                                      : g.Unary("softplus", schema::UnaryKind::Softplus, x);
    g.Output(g.Binary("y", schema::BinaryKind::Mul, x, g.Unary("tanh", schema::UnaryKind::Tanh, softplus)));
    EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeActivations}, 1e-5f));
    ExpectOneUnary(g, schema::UnaryKind::Mish);
  }
}

TEST(RecognizeActivationsPass, WhatLooksAlikeStays) {
  TestGraph g;
  const auto x = g.Input("x", {2, 30});
  const auto two = g.Constant("two", {}, {2});
  const auto sum = g.Binary("sum", schema::BinaryKind::Add, g.Unary("e", schema::UnaryKind::Exp, x), two);
  g.Output(g.Unary("log", schema::UnaryKind::Log, sum));
  g.Output(g.Binary("quotient", schema::BinaryKind::Div, two, sum));
  const auto gate =
      g.Unary("tanh", schema::UnaryKind::Tanh, g.Unary("softplus", schema::UnaryKind::Softplus, x));
  g.Output(g.Binary("y", schema::BinaryKind::Mul, g.Input("z", {2, 30}), gate));
  EXPECT_FALSE(RunPasses(g.graph, {passes::RecognizeActivations}));
}

TEST(GatedActivationsPass, HardSigmoidWithItsSlopeFirst) {
  TestGraph g;
  const auto scaled =
      g.Binary("scaled", schema::BinaryKind::Div, g.Input("x", {2, 30}), g.Constant("six", {}, {6}));
  const auto shifted = g.Binary("shifted", schema::BinaryKind::Add, scaled, g.Constant("half", {}, {0.5f}));
  g.Output(g.Unary("y", schema::UnaryKind::Clip, shifted, 0, 1));
  EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeGatedActivations}, 1e-5f));
  ExpectOneUnary(g, schema::UnaryKind::HardSigmoid);
}

// Three ways to say slopes * min(x, 0); the last one holds min(x, 0) twice.
ir::ValueId BelowZero(TestGraph& g, ir::ValueId x, int form) {
  const auto slopes = g.Constant("slopes", {3}, {0.25f, 2, -1});
  const auto product = [&](ir::ValueId part) {
    return g.Binary("product", schema::BinaryKind::Mul, slopes, part);
  };
  if (form == 2) {
    const auto magnitude = g.Unary("magnitude", schema::UnaryKind::Abs, x);
    return product(g.Binary("difference", schema::BinaryKind::Sub, x, magnitude));
  }
  const auto relu = g.Relu("below", g.Unary("negated", schema::UnaryKind::Neg, x));
  return product(form == 0 ? relu : g.Unary("sign", schema::UnaryKind::Neg, relu));
}

TEST(RecognizePReluPass, FindsItsForms) {
  for (int form = 0; form < 3; ++form) {
    TestGraph g;
    const auto x = g.Input("x", {2, 4, 3});
    const auto below = BelowZero(g, x, form);
    g.Output(form == 1 ? g.Binary("y", schema::BinaryKind::Add, g.Relu("relu", x), below)
                       : g.Binary("y", schema::BinaryKind::Add, below, g.Relu("relu", x)));
    EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizePRelu}, 1e-6f)) << form;
    ASSERT_EQ(g.graph.nodes.size(), 1u) << form;
    EXPECT_EQ(g.graph.nodes[0]->as<schema::BinaryOptionsT>().kind, schema::BinaryKind::PRelu);
  }
}

TEST(RecognizePReluPass, LeavesPartsOfOthers) {
  TestGraph g;
  const auto x = g.Input("x", {2, 4, 3}), other = g.Input("other", {2, 4, 3});
  g.Output(g.Binary("y", schema::BinaryKind::Add, g.Relu("relu", other), BelowZero(g, x, 1)));
  g.Output(g.Binary("z", schema::BinaryKind::Add, g.Unary("six", schema::UnaryKind::Clip, x, 0, 6),
                    BelowZero(g, x, 0)));
  EXPECT_FALSE(RunPasses(g.graph, {passes::RecognizePRelu}));
}

}  // namespace
}  // namespace micrort
