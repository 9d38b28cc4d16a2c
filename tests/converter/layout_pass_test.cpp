#include <gtest/gtest.h>

#include "converter/ir/print.h"
#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using schema::OpCode;
using testing::CountOps;
using testing::Outline;
using testing::RunPasses;
using testing::TestGraph;

const std::vector<int32_t> kToNchw = {0, 3, 1, 2};
const std::vector<int32_t> kToNhwc = {0, 2, 3, 1};

bool Optimize(ir::Graph& graph) {
  return RunPasses(graph, {passes::OptimizeLayout, passes::RemoveIdentities, passes::MergeReshapes,
                           passes::RemoveIdentities});
}

TEST(LayoutPass, CancelsInverseTransposes) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 3});
  const auto a = g.Conv3x3("a", x, 2);
  const auto nchw = g.Transpose("nchw", a, kToNchw);
  const auto back = g.Transpose("back", nchw, kToNhwc);
  g.Output(g.Conv3x3("b", back, 2));
  EXPECT_TRUE(Optimize(g.graph));
  EXPECT_EQ(Outline(g.graph), "a = Conv2D(x, a.w, a.b)\nb = Conv2D(a, b.w, b.b)\n");
}

TEST(LayoutPass, SharesMergedTransposes) {
  TestGraph g;
  const auto x = g.Input("x", {2, 3, 4});
  const auto a = g.Transpose("a", x, {1, 0, 2});
  g.Output(g.Transpose("b", a, {0, 2, 1}));
  g.Output(g.Transpose("c", x, {1, 2, 0}));
  EXPECT_TRUE(Optimize(g.graph));
  EXPECT_EQ(CountOps(g.graph, OpCode::Transpose), 1) << ir::Print(g.graph);
}

TEST(LayoutPass, ConcatOfTransposedValuesMovesToNhwc) {
  TestGraph g;
  const auto x = g.Input("x", {1, 3, 4, 5});
  const auto in = g.Transpose("in", x, kToNhwc);
  const auto a = g.Transpose("a", g.Conv3x3("conv_a", in, 2), kToNchw);
  const auto b = g.Transpose("b", g.Conv3x3("conv_b", in, 3), kToNchw);
  const auto c = g.Concat("c", {a, b}, 1);
  const auto back = g.Transpose("back", c, kToNhwc);
  const auto d = g.Conv3x3("d", back, 2);
  g.Output(g.Transpose("y", d, kToNchw));
  EXPECT_TRUE(Optimize(g.graph));
  EXPECT_EQ(CountOps(g.graph, OpCode::Transpose), 2) << ir::Print(g.graph);
  const ir::ValueId concat = g.graph.FindValue("c");
  ASSERT_NE(concat, ir::kNoValue);
  EXPECT_EQ(g.graph.value(concat).shape, (std::vector<int64_t>{1, 4, 5, 5}));
  EXPECT_EQ(g.graph.value(concat).source_order, (std::vector<int>{0, 2, 3, 1}));
}

TEST(LayoutPass, ChannelShuffleKeepsOneTransposeOnNhwc) {
  TestGraph g;
  const auto x = g.Input("x", {1, 4, 5, 6});
  const auto a = g.Transpose("a", g.Conv3x3("conv_a", x, 6), kToNchw);
  const auto split = g.Reshape("split", a, {1, 2, 3, 4, 5});
  const auto mixed = g.Transpose("mixed", split, {0, 2, 1, 3, 4});
  const auto joined = g.Reshape("joined", mixed, {1, 6, 4, 5});
  g.Output(g.Conv3x3("y", g.Transpose("back", joined, kToNhwc), 2));
  EXPECT_TRUE(Optimize(g.graph));
  EXPECT_EQ(CountOps(g.graph, OpCode::Transpose), 1) << ir::Print(g.graph);
  EXPECT_EQ(CountOps(g.graph, OpCode::Reshape), 2) << ir::Print(g.graph);
}

// Pooled to 1x1, activated, and convolved again: nothing but names of dimensions changes between.
TEST(LayoutPass, OnesDoNotHideThatTransposesCancel) {
  TestGraph g;
  const auto x = g.Input("x", {1, 1, 1, 3});
  const auto nchw = g.Transpose("nchw", g.Conv3x3("a", x, 4), kToNchw);
  const auto h = g.Relu("h", nchw);
  g.Output(g.Conv3x3("b", g.Transpose("nhwc", h, kToNhwc), 2));
  EXPECT_TRUE(Optimize(g.graph));
  EXPECT_EQ(Outline(g.graph), "a = Conv2D(x, a.w, a.b)\nh = Unary(a)\nb = Conv2D(h, b.w, b.b)\n");
}

TEST(TransposeToReshapePass, OnlyOnesMove) {
  TestGraph g;
  g.Output(g.Transpose("y", g.Input("x", {2, 1, 1, 3}), kToNchw));
  g.Output(g.Transpose("z", g.Input("w", {2, 1, 4, 3}), kToNchw));
  EXPECT_TRUE(RunPasses(g.graph, {passes::TurnTransposeIntoReshape}));
  EXPECT_EQ(Outline(g.graph), "y = Reshape(x)\nz = Transpose(w)\n");
  EXPECT_EQ(g.graph.nodes[0]->as<schema::ReshapeOptionsT>().shape, (std::vector<int32_t>{2, 3, 1, 1}));
}

TEST(LayoutPass, ProductsWithOneMatrixTakeTheirRowsInAnyOrder) {
  TestGraph g;
  const auto by_batch = g.Transpose("t", g.Input("x", {5, 2, 4}), {1, 0, 2});
  const auto product = g.Node("p", schema::MatMulOptionsT(), {by_batch, g.Weights("w", {4, 6})});
  g.Output(g.Transpose("y", g.Relu("r", product), {1, 0, 2}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::OptimizeLayout}, 1e-6f));
  EXPECT_EQ(CountOps(g.graph, schema::OpCode::Transpose), 0) << Outline(g.graph);
}

TEST(LayoutPass, ProductsOfTheirColumnsStay) {
  TestGraph g;
  const auto columns = g.Transpose("t", g.Input("x", {2, 4, 5}), {0, 2, 1});
  g.Output(
      g.Transpose("y", g.Node("p", schema::MatMulOptionsT(), {columns, g.Weights("w", {4, 6})}), {0, 2, 1}));
  RunPasses(g.graph, {passes::OptimizeLayout}, 1e-6f);
  EXPECT_EQ(CountOps(g.graph, schema::OpCode::Transpose), 2) << Outline(g.graph);
}

}  // namespace
}  // namespace micrort
