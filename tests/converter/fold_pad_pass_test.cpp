#include <gtest/gtest.h>

#include <limits>

#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using schema::OpCode;
using testing::CountOps;
using testing::RunPasses;
using testing::TestGraph;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

ir::ValueId Pad(TestGraph& g, ir::ValueId x, std::vector<int64_t> pads, float value = 0) {
  schema::PadOptionsT options;
  options.pads = std::move(pads);
  options.value = value;
  return g.Node("padded", std::move(options), {x});
}

ir::ValueId Pool(TestGraph& g, ir::ValueId x, schema::PoolKind kind) {
  schema::Pool2DOptionsT options;
  options.kind = kind;
  options.kernel_h = options.kernel_w = 3;
  options.stride_h = options.stride_w = 2;
  return g.Node("y", std::move(options), {x});
}

const std::vector<int64_t> kSpatial = {0, 1, 2, 0, 0, 2, 1, 0};

TEST(FoldPadPass, GoesIntoConvolutions) {
  TestGraph g;
  const auto x = g.Input("x", {1, 5, 6, 3});
  const auto padded = Pad(g, x, kSpatial);
  g.Output(g.Conv3x3("y", padded, 2));
  g.Output(g.Node("z", schema::DepthwiseConv2DOptionsT(), {padded, g.Weights("w", {3, 3, 3})}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::FoldPad}));
  EXPECT_EQ(CountOps(g.graph, OpCode::Pad), 0);
}

TEST(FoldPadPass, GoesIntoPoolsThatCountIt) {
  TestGraph g;
  const auto x = g.Input("x", {1, 5, 6, 3});
  g.Output(Pool(g, Pad(g, x, kSpatial), schema::PoolKind::Average));
  EXPECT_TRUE(RunPasses(g.graph, {passes::FoldPad}));
  EXPECT_EQ(CountOps(g.graph, OpCode::Pad), 0);
}

TEST(FoldPadPass, MaximumIgnoresLowestValuesAndZerosUnderNonNegatives) {
  for (const bool relu : {false, true}) {
    for (const float value : {0.0f, -kInfinity}) {
      TestGraph g;
      auto x = g.Input("x", {1, 5, 6, 3});
      if (relu) x = g.Relu("relu", x);
      g.Output(Pool(g, Pad(g, x, kSpatial, value), schema::PoolKind::Max));
      const bool legal = relu || value != 0;
      EXPECT_EQ(RunPasses(g.graph, {passes::FoldPad}), legal);
      EXPECT_EQ(CountOps(g.graph, OpCode::Pad), legal ? 0 : 1);
    }
  }
}

TEST(FoldPadPass, StaysWhereValuesOrAxesForbidIt) {
  const std::pair<std::vector<int64_t>, float> cases[] = {{kSpatial, 1.0f},                    // not zero
                                                          {{0, 0, 0, 1, 0, 0, 0, 1}, 0.0f},    // channels
                                                          {{0, -1, 0, 0, 0, 0, 0, 0}, 0.0f}};  // crops
  for (const auto& [pads, value] : cases) {
    TestGraph g;
    g.Output(g.Conv3x3("y", Pad(g, g.Input("x", {1, 5, 6, 3}), pads, value), 2));
    EXPECT_FALSE(RunPasses(g.graph, {passes::FoldPad}));
  }
}

}  // namespace
}  // namespace micrort
