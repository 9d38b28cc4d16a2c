// Normalizations out of their parts, and what moves into them.

#include <gtest/gtest.h>

#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using schema::ReduceKind;
using testing::Outline;
using testing::RunPasses;
using testing::TestGraph;

// How an exporter writes LayerNorm.
struct NormalizeSpelling {
  enum Square { kProduct, kPower } square = kProduct;
  enum Quotient { kDivSqrt, kDivPower, kMulReciprocal, kMulOneOver, kMulPower } quotient = kDivSqrt;
  std::vector<int32_t> axes = {2};
  bool centered = true;
  ReduceKind second = ReduceKind::Mean;
  bool keep_dims = true;
};

ir::ValueId Reduced(TestGraph& g, const std::string& name, ReduceKind kind, ir::ValueId x,
                    const NormalizeSpelling& s) {
  schema::ReduceOptionsT options;
  options.kind = kind;
  options.axes = s.axes;
  options.keep_dims = s.keep_dims;
  return g.Node(name, std::move(options), {x});
}

ir::ValueId Quotient(TestGraph& g, const std::string& name, ir::ValueId v, ir::ValueId sum,
                     NormalizeSpelling::Quotient quotient) {
  const auto one = g.Constant("one", {}, {1});
  switch (quotient) {
    case NormalizeSpelling::kDivSqrt:
      return g.Binary(name, schema::BinaryKind::Div, v, g.Unary("root", schema::UnaryKind::Sqrt, sum));
    case NormalizeSpelling::kDivPower:
      return g.Binary(name, schema::BinaryKind::Div, v,
                      g.Binary("root", schema::BinaryKind::Pow, sum, g.Constant("half", {}, {0.5f})));
    case NormalizeSpelling::kMulReciprocal:
      return g.Binary(
          name, schema::BinaryKind::Mul,
          g.Unary("inverse", schema::UnaryKind::Reciprocal, g.Unary("root", schema::UnaryKind::Sqrt, sum)),
          v);
    case NormalizeSpelling::kMulOneOver:
      return g.Binary(
          name, schema::BinaryKind::Mul, v,
          g.Binary("inverse", schema::BinaryKind::Div, one, g.Unary("root", schema::UnaryKind::Sqrt, sum)));
    default:
      return g.Binary(name, schema::BinaryKind::Mul, v,
                      g.Binary("inverse", schema::BinaryKind::Pow, sum, g.Constant("-half", {}, {-0.5f})));
  }
}

ir::ValueId Normalized(TestGraph& g, const std::string& name, ir::ValueId x,
                       const NormalizeSpelling& s = {}) {
  ir::ValueId v = x;
  if (s.centered)
    v = g.Binary("centered", schema::BinaryKind::Sub, x, Reduced(g, "mean", ReduceKind::Mean, x, s));
  const auto square = s.square == NormalizeSpelling::kProduct
                          ? g.Binary("square", schema::BinaryKind::Mul, v, v)
                          : g.Binary("square", schema::BinaryKind::Pow, v, g.Constant("two", {1}, {2}));
  const auto mean = Reduced(g, "variance", s.second, square, s);
  return Quotient(g, name, v,
                  g.Binary("sum", schema::BinaryKind::Add, mean, g.Constant("epsilon", {}, {1e-3f})),
                  s.quotient);
}

const schema::NormalizeOptionsT& OptionsOf(const TestGraph& g) {
  return g.graph.nodes.back()->as<schema::NormalizeOptionsT>();
}

TEST(RecognizeNormalizationPass, LayerNormHoweverItIsWritten) {
  for (const auto square : {NormalizeSpelling::kProduct, NormalizeSpelling::kPower}) {
    for (const auto quotient :
         {NormalizeSpelling::kDivSqrt, NormalizeSpelling::kDivPower, NormalizeSpelling::kMulReciprocal,
          NormalizeSpelling::kMulOneOver, NormalizeSpelling::kMulPower}) {
      NormalizeSpelling spelling;
      spelling.square = square;
      spelling.quotient = quotient;
      TestGraph g;
      g.Output(Normalized(g, "y", g.Input("x", {2, 3, 20}), spelling));
      EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeNormalization}, 1e-5f));
      EXPECT_EQ(Outline(g.graph), "y = Normalize(x)\n");
      EXPECT_TRUE(OptionsOf(g).centered);
      EXPECT_EQ(OptionsOf(g).axes, std::vector<int32_t>{2});
      EXPECT_FLOAT_EQ(OptionsOf(g).epsilon, 1e-3f);
    }
  }
}

TEST(RecognizeNormalizationPass, RmsNormAndInstanceNorm) {
  NormalizeSpelling rms;
  rms.centered = false;
  rms.quotient = NormalizeSpelling::kMulReciprocal;
  TestGraph g;
  g.Output(Normalized(g, "y", g.Input("x", {2, 3, 20}), rms));
  EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeNormalization}, 1e-5f));
  EXPECT_EQ(Outline(g.graph), "y = Normalize(x)\n");
  EXPECT_FALSE(OptionsOf(g).centered);

  NormalizeSpelling instance;
  instance.axes = {1, 2};
  TestGraph h;
  h.Output(Normalized(h, "y", h.Input("x", {2, 3, 4, 5}), instance));
  EXPECT_TRUE(RunPasses(h.graph, {passes::RecognizeNormalization}, 1e-5f));
  EXPECT_EQ(Outline(h.graph), "y = Normalize(x)\n");
}

TEST(RecognizeNormalizationPass, WhatLooksAlikeStays) {
  NormalizeSpelling sum;  // divides by the root of a sum
  sum.second = ReduceKind::Sum;
  NormalizeSpelling alternating;  // something is kept between and after the axes
  alternating.axes = {0, 2};
  for (const NormalizeSpelling& spelling : {sum, alternating}) {
    TestGraph g;
    g.Output(Normalized(g, "y", g.Input("x", {2, 3, 4, 5}), spelling));
    EXPECT_FALSE(RunPasses(g.graph, {passes::RecognizeNormalization}));
  }

  TestGraph g;  // divides something else
  const auto x = g.Input("x", {2, 3, 20});
  const auto square = g.Binary("square", schema::BinaryKind::Mul, x, x);
  const auto mean = Reduced(g, "mean", ReduceKind::Mean, square, {});
  const auto shifted = g.Binary("sum", schema::BinaryKind::Add, mean, g.Constant("epsilon", {}, {1e-3f}));
  g.Output(Quotient(g, "y", g.Input("z", {2, 3, 20}), shifted, NormalizeSpelling::kDivSqrt));
  EXPECT_FALSE(RunPasses(g.graph, {passes::RecognizeNormalization}));
}

TEST(AffineIntoNormalizePass, ScaleAndBias) {
  TestGraph g;
  const auto n = Normalized(g, "n", g.Input("x", {2, 3, 20}));
  const auto scaled = g.Binary("scaled", schema::BinaryKind::Mul, g.Weights("scale", {20}), n);
  g.Output(g.Binary("y", schema::BinaryKind::Add, scaled, g.Weights("bias", {20})));
  EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeNormalization, passes::FoldAffineIntoNormalize}, 1e-5f));
  EXPECT_EQ(Outline(g.graph), "y = Normalize(x, scale, bias)\n");
}

TEST(AffineIntoNormalizePass, OrderAndShapeMatter) {
  TestGraph g;  // scaled after the bias
  const auto n = Normalized(g, "n", g.Input("x", {2, 3, 20}));
  const auto sum = g.Binary("sum2", schema::BinaryKind::Add, n, g.Weights("bias", {20}));
  g.Output(g.Binary("y", schema::BinaryKind::Mul, sum, g.Weights("scale", {20})));
  EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeNormalization, passes::FoldAffineIntoNormalize}, 1e-5f));
  EXPECT_EQ(Outline(g.graph), "sum2 = Normalize(x, -, bias)\ny = Binary(sum2, scale)\n");

  TestGraph h;  // a bias that makes the result larger
  const auto m = Normalized(h, "n", h.Input("x", {1, 3, 20}));
  h.Output(h.Binary("y", schema::BinaryKind::Add, m, h.Weights("bias", {2, 3, 20})));
  EXPECT_TRUE(RunPasses(h.graph, {passes::RecognizeNormalization, passes::FoldAffineIntoNormalize}, 1e-5f));
  EXPECT_EQ(Outline(h.graph), "n = Normalize(x)\ny = Binary(n, bias)\n");
}

TEST(LayoutPass, NormalizationMovesToTheLayoutOfItsNeighbors) {
  TestGraph g;
  const auto image = g.Conv3x3("a", g.Input("x", {1, 4, 5, 3}), 8);
  const auto n = Normalized(g, "n", g.Transpose("nchw", image, {0, 3, 1, 2}), [] {
    NormalizeSpelling s;
    s.axes = {2, 3};
    return s;
  }());
  const auto scaled = g.Binary("scaled", schema::BinaryKind::Mul, n, g.Weights("scale", {8, 1, 1}));
  g.Output(g.Conv3x3("y", g.Transpose("nhwc", scaled, {0, 2, 3, 1}), 2));
  EXPECT_TRUE(RunPasses(
      g.graph, {passes::RecognizeNormalization, passes::OptimizeLayout, passes::FoldAffineIntoNormalize},
      1e-5f));
  EXPECT_EQ(testing::CountOps(g.graph, schema::OpCode::Transpose), 0) << Outline(g.graph);
  EXPECT_EQ(testing::CountOps(g.graph, schema::OpCode::Normalize), 1);
  EXPECT_EQ(testing::CountOps(g.graph, schema::OpCode::Binary), 0);
}

// GroupNorm with two groups, as it is exported, between convolutions.
TEST(LayoutPass, GroupNormMovesToTheLayoutOfItsNeighbors) {
  TestGraph g;
  const auto image = g.Conv3x3("a", g.Input("x", {1, 4, 5, 3}), 8);
  NormalizeSpelling spelling;
  const auto grouped = g.Reshape("grouped", g.Transpose("nchw", image, {0, 3, 1, 2}), {1, 2, 80});
  const auto back = g.Reshape("back", Normalized(g, "n", grouped, spelling), {1, 8, 4, 5});
  const auto scaled = g.Binary("scaled", schema::BinaryKind::Mul, back, g.Weights("scale", {8, 1, 1}));
  const auto shifted = g.Binary("shifted", schema::BinaryKind::Add, scaled, g.Weights("bias", {8, 1, 1}));
  g.Output(g.Conv3x3("y", g.Transpose("nhwc", shifted, {0, 2, 3, 1}), 2));
  EXPECT_TRUE(
      RunPasses(g.graph,
                {passes::RecognizeNormalization, passes::SplitNormalizedDims, passes::MergeReshapes,
                 passes::OptimizeLayout, passes::FoldAffineIntoNormalize, passes::FoldAffineIntoNormalize},
                1e-5f));
  EXPECT_EQ(testing::CountOps(g.graph, schema::OpCode::Transpose), 0) << Outline(g.graph);
  EXPECT_EQ(testing::CountOps(g.graph, schema::OpCode::Normalize), 1);
  EXPECT_EQ(testing::CountOps(g.graph, schema::OpCode::Binary), 0) << Outline(g.graph);
}

TEST(SplitNormalizedDimsPass, ChannelsThatGroupsCutStay) {
  TestGraph g;  // a group has one channel and a half
  const auto grouped = g.Reshape("grouped", g.Input("x", {1, 3, 4, 5}), {1, 2, 30});
  g.Output(Normalized(g, "n", grouped));
  EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeNormalization}, 1e-5f));
  EXPECT_FALSE(RunPasses(g.graph, {passes::SplitNormalizedDims}));
}

}  // namespace
}  // namespace micrort
