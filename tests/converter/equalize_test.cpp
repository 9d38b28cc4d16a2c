// Scaling the channels between layers.

#include "converter/quantize/equalize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "converter/ir/infer.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/quantized_weights.h"
#include "tests/converter/graph_testing.h"

namespace micrort::quantize {
namespace {

using micrort::testing::ExpectSameResults;
using micrort::testing::TestGraph;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Two 1x1 convolutions, the second channel between them a hundred times as large as the first.
void Build(TestGraph* g, schema::Activation activation, bool twice_read) {
  const ir::ValueId x = g->Input("x", {1, 3, 3, 2});
  schema::Conv2DOptionsT options;
  options.activation = activation;
  const ir::ValueId a = g->Node("a", std::move(options),
                                {x, g->Constant("wa", {2, 1, 1, 2}, {0.1f, 0.2f, 10.0f, -20.0f}),
                                 g->Constant("ba", {2}, {0.3f, 5.0f})});
  const ir::ValueId b =
      g->Node("b", schema::Conv2DOptionsT(), {a, g->Constant("wb", {2, 1, 1, 2}, {1.0f, 2.0f, -3.0f, 4.0f})});
  g->graph.outputs = {b};
  if (twice_read) g->graph.outputs.push_back(g->Unary("u", schema::UnaryKind::Tanh, a));
  ASSERT_TRUE(ir::InferShapes(g->graph).ok());
}

std::vector<float> LargestOf(const TestGraph& g, size_t node) {
  return LargestPerChannel(g.graph.value(g.graph.nodes[node]->inputs[Layer::kWeights]), 0);
}

TEST(Equalize, MakesChannelsAlikeAndComputesTheSame) {
  TestGraph expected, found;
  Build(&expected, {schema::ActivationKind::Clip, 0.0f, kInfinity}, false);
  Build(&found, {schema::ActivationKind::Clip, 0.0f, kInfinity}, false);
  EXPECT_EQ(EqualizeLayers(&found.graph).size(), 1u);
  ExpectSameResults(expected.graph, found.graph, 1e-4f);
  const std::vector<float> before = LargestOf(expected, 0), after = LargestOf(found, 0);
  EXPECT_NEAR(before[1] / before[0], 100, 1);
  EXPECT_LT(after[1] / after[0], 15);
}

TEST(Equalize, TellsWhatItDidToValues) {
  TestGraph expected, found;
  Build(&expected, schema::Activation(), false);
  Build(&found, schema::Activation(), false);
  const ChannelScales scales = EqualizeLayers(&found.graph);
  const float before = LargestOf(expected, 0)[1], after = LargestOf(found, 0)[1];
  EXPECT_NEAR(scales.at("a")[1], after / before, 1e-5f);
}

TEST(Equalize, ScalesWhatTheChannelsWereInTraining) {
  TestGraph g;
  Build(&g, schema::Activation(), false);
  g.graph.nodes[0]->trained = {{1, 2}, {3, 4}};
  const std::vector<float> scales = EqualizeLayers(&g.graph).at("a");
  const ir::TrainedOutput& trained = g.graph.nodes[0]->trained;
  for (size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(trained.means[c] / scales[c], c == 0 ? 1 : 2, 1e-5);
    EXPECT_NEAR(trained.deviations[c] / scales[c], c == 0 ? 3 : 4, 1e-5);
  }
}

TEST(Equalize, LeavesWhatDoesNotScale) {
  TestGraph relu6, twice;
  Build(&relu6, {schema::ActivationKind::Clip, 0.0f, 6.0f}, false);
  EXPECT_EQ(EqualizeLayers(&relu6.graph).size(), 0u);
  Build(&twice, schema::Activation(), true);
  EXPECT_EQ(EqualizeLayers(&twice.graph).size(), 0u);
}

TEST(Equalize, GoesThroughDepthwiseConvolutions) {
  TestGraph expected, found;
  for (TestGraph* g : {&expected, &found}) {
    const ir::ValueId a = g->Conv3x3("a", g->Input("x", {1, 6, 6, 4}), 4);
    const ir::ValueId d = g->Node("d", schema::DepthwiseConv2DOptionsT(), {a, g->Weights("wd", {3, 3, 4})});
    g->graph.outputs = {g->Conv3x3("c", d, 5)};
    ASSERT_TRUE(ir::InferShapes(g->graph).ok());
  }
  EXPECT_EQ(EqualizeLayers(&found.graph).size(), 2u);
  ExpectSameResults(expected.graph, found.graph, 1e-3f);
}

}  // namespace
}  // namespace micrort::quantize
