// Activations and residual additions that go into layers.

#include <gtest/gtest.h>

#include "converter/ir/infer.h"
#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using testing::Outline;
using testing::RunPasses;
using testing::TestGraph;

bool Fuse(ir::Graph& graph) {
  return RunPasses(graph, {passes::FuseActivation, passes::FuseResidual}, 1e-5f);
}

TEST(FusePass, ActivationOfEachKindGoesIntoConv) {
  const std::pair<schema::UnaryKind, schema::ActivationKind> kinds[] = {
      {schema::UnaryKind::Clip, schema::ActivationKind::Clip},
      {schema::UnaryKind::LeakyRelu, schema::ActivationKind::LeakyRelu},
      {schema::UnaryKind::Sigmoid, schema::ActivationKind::Sigmoid},
      {schema::UnaryKind::Tanh, schema::ActivationKind::Tanh},
      {schema::UnaryKind::HardSwish, schema::ActivationKind::HardSwish},
      {schema::UnaryKind::HardSigmoid, schema::ActivationKind::HardSigmoid},
      {schema::UnaryKind::Silu, schema::ActivationKind::Silu}};
  for (const auto& [unary, activation] : kinds) {
    TestGraph g;
    const auto x = g.Input("x", {1, 4, 5, 3});
    g.Output(g.Unary("y", unary, g.Conv3x3("conv", x, 2), 0.25f, 0.5f));
    EXPECT_TRUE(Fuse(g.graph));
    EXPECT_EQ(Outline(g.graph), "y = Conv2D(x, conv.w, conv.b)\n");
    EXPECT_EQ(passes::ActivationOf(*g.graph.nodes[0])->kind(), activation);
    EXPECT_EQ(g.graph.nodes[0]->source_op, "Test");
  }
}

TEST(FusePass, SlopesOfChannelsGoIntoLayers) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  const auto slopes = g.Constant("slopes", {1, 1, 2}, {0.5f, 0.25f});
  const auto sum =
      g.Binary("sum", schema::BinaryKind::Add, g.Conv3x3("conv", x, 2), g.Conv3x3("other", x, 2));
  g.Output(g.Binary("y", schema::BinaryKind::PRelu, sum, slopes));
  EXPECT_TRUE(Fuse(g.graph));
  EXPECT_TRUE(Fuse(g.graph));
  const ir::Node& layer = *g.graph.nodes.back();
  ASSERT_TRUE(layer.has_input(kLayerSlopes) && layer.has_input(kLayerResidual));
  EXPECT_EQ(layer.as<schema::Conv2DOptionsT>().activation.kind(), schema::ActivationKind::PRelu);
  EXPECT_EQ(g.graph.value(layer.inputs[kLayerSlopes]).shape, std::vector<int64_t>{2});
}

TEST(FusePass, EqualSlopesBecomeLeakyRelu) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  const auto slopes = g.Constant("slopes", {2}, {0.25f, 0.25f});
  g.Output(g.Binary("y", schema::BinaryKind::PRelu, g.Conv3x3("conv", x, 2), slopes));
  EXPECT_TRUE(Fuse(g.graph));
  EXPECT_EQ(Outline(g.graph), "y = Conv2D(x, conv.w, conv.b)\n");
  EXPECT_EQ(passes::ActivationOf(*g.graph.nodes[0])->kind(), schema::ActivationKind::LeakyRelu);
  EXPECT_EQ(passes::ActivationOf(*g.graph.nodes[0])->a(), 0.25f);
}

TEST(FusePass, SlopesThatAreNoConstantsOfChannelsStay) {
  for (const bool is_constant : {false, true}) {
    TestGraph g;
    const auto x = g.Input("x", {1, 4, 1, 3});
    const auto slopes = is_constant ? g.Constant("slopes", {4, 1, 1}, {1, 2, 3, 4}) : g.Input("slopes", {2});
    g.Output(g.Binary("y", schema::BinaryKind::PRelu, g.Conv3x3("conv", x, 2), slopes));
    EXPECT_FALSE(Fuse(g.graph));
  }
}

TEST(FusePass, SumsHaveNoSlopesOfChannels) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 2});
  const auto sum = g.Binary("sum", schema::BinaryKind::Mul, x, g.Input("z", {1, 4, 5, 2}));
  g.Output(g.Binary("y", schema::BinaryKind::PRelu, sum, g.Constant("slopes", {2}, {0.5f, 0.25f})));
  EXPECT_FALSE(Fuse(g.graph));
}

TEST(FusePass, ActivationStaysWhereItsInputIsReadElsewhere) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  const auto conv = g.Conv3x3("conv", x, 2);
  g.Output(g.Relu("y", conv));
  g.Output(conv);
  EXPECT_FALSE(Fuse(g.graph));
}

TEST(FusePass, ErfIsNoActivationOfLayers) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  g.Output(g.Unary("y", schema::UnaryKind::Erf, g.Conv3x3("conv", x, 2)));
  EXPECT_FALSE(Fuse(g.graph));
}

// activation(conv(h) + bias + x)
TEST(FusePass, ResidualGoesIntoTheLaterLayerWithTheActivationBehindIt) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  const auto shortcut = g.Conv3x3("shortcut", x, 2);
  const auto h = g.Relu("h", g.Conv3x3("first", x, 2));
  const auto second = g.Conv3x3("second", h, 2);
  g.Output(g.Relu("y", g.Binary("sum", schema::BinaryKind::Add, shortcut, second)));
  EXPECT_TRUE(Fuse(g.graph));
  EXPECT_EQ(Outline(g.graph),
            "shortcut = Conv2D(x, shortcut.w, shortcut.b)\n"
            "h = Conv2D(x, first.w, first.b)\n"
            "y = Conv2D(h, second.w, second.b, shortcut)\n");
  EXPECT_EQ(passes::ActivationOf(*g.graph.nodes[2])->kind(), schema::ActivationKind::Clip);
}

TEST(FusePass, LayerMovesBehindItsResidual) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  const auto conv = g.Conv3x3("conv", x, 2);
  const auto later = g.Relu("later", g.Conv3x3("other", x, 2));
  g.Output(g.Binary("y", schema::BinaryKind::Add, conv, later));
  EXPECT_TRUE(Fuse(g.graph));
  EXPECT_EQ(Outline(g.graph), "later = Conv2D(x, other.w, other.b)\ny = Conv2D(x, conv.w, conv.b, later)\n");
}

TEST(FusePass, BroadcastOperandsAreNoResiduals) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  const auto row = g.Input("row", {1, 1, 5, 2});
  g.Output(g.Binary("y", schema::BinaryKind::Add, g.Conv3x3("conv", x, 2), row));
  EXPECT_FALSE(Fuse(g.graph));
}

TEST(FusePass, ActivatedLayerTakesNoResidual) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  const auto a = g.Relu("a", g.Conv3x3("conv", x, 3));
  g.Output(g.Binary("y", schema::BinaryKind::Add, a, x));
  EXPECT_TRUE(Fuse(g.graph));
  EXPECT_EQ(Outline(g.graph), "a = Conv2D(x, conv.w, conv.b)\ny = Binary(a, x)\n");
}

TEST(FusePass, ResidualWithDynamicBatchNeedsTheSameSymbol) {
  for (const bool same : {true, false}) {
    TestGraph g;
    const auto x = g.Input("x", {ir::kDynamic, 4, 5, 2});
    const auto other = g.Input("other", {ir::kDynamic, 4, 5, 2});
    g.graph.value(x).dim_names = {"N", "", "", ""};
    g.graph.value(other).dim_names = {same ? "N" : "M", "", "", ""};
    g.Output(g.Binary("y", schema::BinaryKind::Add, g.Conv3x3("conv", x, 2), other));
    ASSERT_TRUE(ir::InferShapes(g.graph).ok());
    bool changed = false;
    ASSERT_TRUE(passes::FuseResidual(g.graph, &changed).ok());
    EXPECT_EQ(changed, same);
  }
}

}  // namespace
}  // namespace micrort
