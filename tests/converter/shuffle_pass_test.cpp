// Operators that only move channels: shuffles behind Concat, space-to-depth before convolutions.

#include <gtest/gtest.h>

#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using testing::CountOps;
using testing::Outline;
using testing::RunPasses;
using testing::TestGraph;

// [N,C,H,W], shuffled as if it had `groups` groups, with the swap given.
ir::ValueId Shuffle(TestGraph& g, ir::ValueId x, int32_t groups, std::vector<int32_t> swap) {
  const auto split = g.Reshape("split", x, {2, groups, 12 / groups, 3, 5});
  return g.Reshape("y", g.Transpose("swapped", split, std::move(swap)), {2, 12, 3, 5});
}

TEST(InterleaveConcatsPass, ShuffleOfEqualParts) {
  TestGraph g;
  const auto a = g.Input("a", {2, 6, 3, 5}), b = g.Input("b", {2, 6, 3, 5});
  g.Output(Shuffle(g, g.Concat("c", {a, b}, 1), 2, {0, 2, 1, 3, 4}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::InterleaveConcats}));
  EXPECT_EQ(CountOps(g.graph, schema::OpCode::Transpose), 0);
  EXPECT_EQ(CountOps(g.graph, schema::OpCode::Concat), 1);
}

TEST(InterleaveConcatsPass, OtherShufflesStay) {
  for (int wrong = 0; wrong < 3; ++wrong) {
    TestGraph g;
    const auto a = g.Input("a", {2, wrong == 0 ? 4 : 6, 3, 5});
    const auto b = g.Input("b", {2, wrong == 0 ? 8 : 6, 3, 5});
    const auto concat = g.Concat("c", {a, b}, 1);
    g.Output(wrong == 2 ? Shuffle(g, concat, 2, {0, 2, 1, 4, 3})
                        : Shuffle(g, concat, wrong == 1 ? 3 : 2, {0, 2, 1, 3, 4}));
    EXPECT_FALSE(RunPasses(g.graph, {passes::InterleaveConcats}));
  }
}

// Every second element of a dimension.
ir::ValueId Half(TestGraph& g, const std::string& name, ir::ValueId x, int axis, int64_t start, int64_t end) {
  schema::SliceOptionsT options;
  options.axes = {axis};
  options.starts = {start};
  options.ends = {end};
  options.steps = {2};
  return g.Node(name, std::move(options), {x});
}

ir::ValueId Focus(TestGraph& g, ir::ValueId x, const std::vector<std::pair<int, int>>& starts,
                  int64_t end = 1 << 30) {
  std::vector<ir::ValueId> parts;
  for (const auto& [row, column] : starts) {
    const std::string name = "part" + std::to_string(parts.size());
    parts.push_back(Half(g, name, Half(g, name + "rows", x, 1, row, end), 2, column, 1 << 30));
  }
  return g.Concat("focus", parts, 3);
}

TEST(FocusIntoConvPass, LargerKernelInsteadOfCopies) {
  TestGraph g;
  g.Output(g.Conv3x3("y", Focus(g, g.Input("x", {2, 8, 6, 3}), {{0, 0}, {1, 0}, {0, 1}, {1, 1}}), 5));
  EXPECT_TRUE(RunPasses(g.graph, {passes::FoldFocusIntoConv}, 1e-5f));
  ASSERT_EQ(g.graph.nodes.size(), 1u) << Outline(g.graph);
  const auto& options = g.graph.nodes[0]->as<schema::Conv2DOptionsT>();
  EXPECT_EQ(options.stride_h, 2);
  EXPECT_EQ(options.pad_right, 2);
  EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[1]).shape, (std::vector<int64_t>{5, 6, 6, 3}));
}

TEST(FocusIntoConvPass, SlicesBeforeTheImageIsMoved) {
  TestGraph g;
  const auto x = g.Input("x", {2, 3, 8, 6});
  std::vector<ir::ValueId> parts;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "part" + std::to_string(i);
    parts.push_back(Half(g, name, Half(g, name + "rows", x, 2, i % 2, 8), 3, i / 2, 6));
  }
  g.Output(g.Conv3x3("y", g.Transpose("nhwc", g.Concat("focus", parts, 1), {0, 2, 3, 1}), 5));
  EXPECT_TRUE(RunPasses(g.graph, {passes::FoldFocusIntoConv}, 1e-5f));
  EXPECT_EQ(Outline(g.graph), "y/Transpose = Transpose(x)\ny = Conv2D(y/Transpose, y.w/image, y.b)\n");
}

TEST(FocusIntoConvPass, OtherSlicesStay) {
  TestGraph twice;  // a quarter that comes twice
  twice.Output(
      twice.Conv3x3("y", Focus(twice, twice.Input("x", {2, 8, 6, 3}), {{0, 0}, {1, 0}, {0, 1}, {0, 1}}), 5));
  EXPECT_FALSE(RunPasses(twice.graph, {passes::FoldFocusIntoConv}));

  TestGraph part;  // not up to the end
  part.Output(
      part.Conv3x3("y", Focus(part, part.Input("x", {2, 8, 6, 3}), {{0, 0}, {1, 0}, {0, 1}, {1, 1}}, 6), 5));
  EXPECT_FALSE(RunPasses(part.graph, {passes::FoldFocusIntoConv}));
}

}  // namespace
}  // namespace micrort
