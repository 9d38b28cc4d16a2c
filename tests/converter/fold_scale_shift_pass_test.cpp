#include <gtest/gtest.h>

#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using testing::Outline;
using testing::RunPasses;
using testing::TestGraph;

constexpr float kTolerance = 1e-5f;

TEST(FoldScaleShiftPass, BatchNormalizationBehindTransposeGoesIntoConv) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  const auto nchw = g.Transpose("nchw", g.Conv3x3("conv", x, 2), {0, 3, 1, 2});
  const auto scaled = g.Binary("scaled", schema::BinaryKind::Mul, nchw, g.Weights("scale", {2, 1, 1}));
  const auto shifted = g.Binary("shifted", schema::BinaryKind::Add, scaled, g.Weights("shift", {1, 2, 1, 1}));
  g.Output(g.Conv3x3("y", g.Transpose("nhwc", shifted, {0, 2, 3, 1}), 1));
  EXPECT_TRUE(RunPasses(g.graph, {passes::OptimizeLayout, passes::FoldScaleShift}, kTolerance));
  EXPECT_EQ(Outline(g.graph), "shifted = Conv2D(x, conv.w_1, conv.b_1_1)\ny = Conv2D(shifted, y.w, y.b)\n");
}

TEST(FoldScaleShiftPass, LayerTakesOverWhatItsResultsWereInTraining) {
  const std::vector<float> deviations = {1, 2};
  for (const bool scaled_again : {false, true}) {
    TestGraph g;
    const auto shifted = g.Binary("shifted", schema::BinaryKind::Add,
                                  g.Conv3x3("conv", g.Input("x", {1, 4, 5, 3}), 2), g.Weights("shift", {2}));
    g.graph.nodes.back()->trained.deviations = deviations;
    const auto last = scaled_again
                          ? g.Binary("again", schema::BinaryKind::Mul, shifted, g.Weights("factor", {2}))
                          : shifted;
    g.Output(g.Relu("y", last));
    EXPECT_TRUE(RunPasses(g.graph, {passes::FoldScaleShift, passes::FuseActivation}, kTolerance));
    ASSERT_EQ(g.graph.nodes.size(), 1u);
    EXPECT_EQ(g.graph.nodes[0]->trained.deviations, scaled_again ? std::vector<float>() : deviations);
  }
}

TEST(FoldScaleShiftPass, EveryLayerScalesItsOwnOutputChannels) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 6});
  const auto depthwise =
      g.Node("depthwise", schema::DepthwiseConv2DOptionsT(), {x, g.Weights("wd", {2, 2, 6})});
  const auto a = g.Binary("a", schema::BinaryKind::Mul, depthwise, g.Weights("ca", {6}));
  const auto product = g.Node("product", schema::MatMulOptionsT(), {a, g.Weights("wm", {6, 4})});
  const auto b = g.Binary("b", schema::BinaryKind::Div, product, g.Constant("cb", {4}, {1, 2, 4, 8}));
  schema::MatMulOptionsT transposed;
  transposed.transpose_b = true;
  const auto second = g.Node("second", std::move(transposed), {b, g.Weights("wt", {3, 4})});
  g.Output(g.Binary("y", schema::BinaryKind::Sub, g.Weights("cy", {3}), second));
  EXPECT_TRUE(RunPasses(g.graph, {passes::FoldScaleShift}, kTolerance));
  EXPECT_EQ(Outline(g.graph),
            "a = DepthwiseConv2D(x, wd_1, -)\nb = MatMul(a, wm_1, -)\ny = MatMul(b, wt_1, second/bias)\n");
}

// A convolution over the sum of another one and of a depthwise one, as volumes are convolved: no value before
// the last is the source model's, unless `named`.
ir::ValueId SumOfLayers(TestGraph& g, ir::ValueId x, bool named) {
  const auto first = g.Conv3x3("first", x, 3);
  const auto depthwise =
      g.Node("depthwise", schema::DepthwiseConv2DOptionsT(), {x, g.Weights("wd", {1, 1, 3})});
  const auto both = g.Binary("both", schema::BinaryKind::Add, first, depthwise);
  const auto last = g.Conv3x3("last", x, 3);
  g.graph.nodes.back()->inputs.push_back(both);
  for (const auto id : {first, depthwise, both, last}) g.graph.value(id).in_source = named;
  return g.Reshape("volume", last, {1, 2, 2, 5, -1});
}

TEST(FoldScaleShiftPass, AllLayersOfASumAreScaledAndOneIsShifted) {
  TestGraph g;
  const auto sum = SumOfLayers(g, g.Input("x", {1, 4, 5, 3}), false);
  const auto scaled = g.Binary("scaled", schema::BinaryKind::Mul, sum, g.Weights("scale", {3}));
  g.Output(g.Binary("y", schema::BinaryKind::Add, scaled, g.Weights("shift", {1, 1, 3})));
  EXPECT_TRUE(RunPasses(g.graph, {passes::FoldScaleShift}, kTolerance));
  EXPECT_EQ(testing::CountOps(g.graph, schema::OpCode::Binary), 1);
  EXPECT_EQ(Outline(g.graph).substr(Outline(g.graph).rfind("y = ")), "y = Reshape(last)\n");
}

TEST(FoldScaleShiftPass, KnownPartsOfASumKeepTheirValues) {
  for (const bool named : {false, true}) {
    TestGraph g;
    const auto sum = SumOfLayers(g, g.Input("x", {1, 4, 5, 3}), named);
    g.Output(g.Binary("y", schema::BinaryKind::Mul, sum, g.Weights("scale", {3})));
    EXPECT_EQ(RunPasses(g.graph, {passes::FoldScaleShift}, kTolerance), !named);
  }
}

TEST(FoldScaleShiftPass, LeavesWhatItMayNotTouch) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  const auto twice_read = g.Conv3x3("twice_read", x, 2);
  g.Output(g.Binary("a", schema::BinaryKind::Mul, twice_read, g.Weights("ca", {2})));
  g.Output(g.Binary("b", schema::BinaryKind::Add, twice_read, g.Weights("cb", {2})));
  // Varies along the width, not along the channels.
  g.Output(g.Binary("c", schema::BinaryKind::Mul, g.Conv3x3("conv", x, 2), g.Weights("cc", {1, 1, 5, 1})));
  g.Output(g.Binary("d", schema::BinaryKind::Div, g.Weights("cd", {2}), g.Conv3x3("divisor", x, 2)));
  EXPECT_FALSE(RunPasses(g.graph, {passes::FoldScaleShift}));
}

}  // namespace
}  // namespace micrort
