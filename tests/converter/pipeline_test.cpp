// All passes together, on the shapes that networks come in.

#include "converter/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include "converter/ir/infer.h"
#include "converter/ir/print.h"
#include "converter/passes/match.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using schema::OpCode;
using testing::CountOps;
using testing::TestGraph;

Status OptimizeWithDefaults(ir::Graph& graph, bool* changed) {
  passes::PipelineOptions options;
  options.on_change = [changed](const char*, const ir::Graph&) { *changed = true; };
  return passes::Optimize(graph, options);
}

bool OptimizeByDefault(ir::Graph& graph) { return testing::RunPasses(graph, {OptimizeWithDefaults}, 1e-4f); }

// As a frontend writes a convolution of an [N,C,H,W] model, with batch normalization.
ir::ValueId ConvNchw(TestGraph& g, const std::string& name, ir::ValueId x, int channels) {
  const auto conv = g.Conv3x3(name, g.Transpose(name + ".in", x, {0, 2, 3, 1}), channels);
  const auto nchw = g.Transpose(name + ".out", conv, {0, 3, 1, 2});
  const auto scaled =
      g.Binary(name + ".mul", schema::BinaryKind::Mul, nchw, g.Weights(name + ".scale", {channels, 1, 1}));
  return g.Binary(name + ".add", schema::BinaryKind::Add, scaled,
                  g.Weights(name + ".shift", {channels, 1, 1}));
}

TEST(Pipeline, ResidualBlockBecomesThreeConvolutions) {
  TestGraph g;
  const auto x = g.Input("x", {1, 3, 6, 5});
  const auto a = g.Relu("a", ConvNchw(g, "stem", x, 4));
  const auto b = g.Relu("b", ConvNchw(g, "first", a, 4));
  const auto sum = g.Binary("sum", schema::BinaryKind::Add, ConvNchw(g, "second", b, 4), a);
  g.Output(g.Relu("y", sum));
  EXPECT_TRUE(OptimizeByDefault(g.graph));
  EXPECT_EQ(CountOps(g.graph, OpCode::Conv2D), 3);
  EXPECT_EQ(CountOps(g.graph, OpCode::Transpose), 2);
  EXPECT_EQ(g.graph.nodes.size(), 5u) << ir::Print(g.graph);
}

TEST(Pipeline, RunningItAgainChangesNothing) {
  TestGraph g;
  const auto x = g.Input("x", {1, 3, 6, 5});
  const auto a = g.Relu("a", ConvNchw(g, "stem", x, 4));
  g.Output(g.Concat("y", {a, ConvNchw(g, "next", a, 2)}, 1));
  EXPECT_TRUE(OptimizeByDefault(g.graph));
  EXPECT_FALSE(OptimizeByDefault(g.graph));
}

TEST(Pipeline, NhwcEdges) {
  TestGraph g;
  const auto x = g.Input("x", {1, 3, 6, 5});
  g.Output(g.Relu("y", ConvNchw(g, "conv", x, 4)));
  passes::PipelineOptions options;
  options.nhwc_io = true;
  ASSERT_TRUE(passes::Optimize(g.graph, options).ok());
  EXPECT_EQ(g.graph.nodes.size(), 1u) << ir::Print(g.graph);
  EXPECT_EQ(g.graph.value(g.graph.outputs[0]).shape, (std::vector<int64_t>{1, 6, 5, 4}));
}

ir::ValueId BuildClassifier(TestGraph& g, int64_t batch) {
  const auto x = g.Input("x", {batch, 3, 6, 4});
  const auto a = g.Relu("a", ConvNchw(g, "stem", x, 4));
  const auto split = g.Reshape("split", a, {-2, 2, 2, 6, 4});
  const auto mixed = g.Reshape("mixed", g.Transpose("swapped", split, {0, 2, 1, 3, 4}), {-1, 4, 6, 4});
  const auto b = g.Binary("b", schema::BinaryKind::Add, ConvNchw(g, "next", mixed, 4), a);
  const auto flat = g.Reshape("flat", b, {-2, 96});
  return g.Node("y", schema::MatMulOptionsT(), {flat, g.Weights("fc", {96, 5})});
}

// What was optimized for any batch computes the same as the graph of one batch that was not optimized.
TEST(Pipeline, DynamicBatch) {
  TestGraph dynamic;
  dynamic.Output(BuildClassifier(dynamic, ir::kDynamic));
  ASSERT_TRUE(passes::Optimize(dynamic.graph, {}).ok());
  EXPECT_EQ(CountOps(dynamic.graph, OpCode::Transpose), 2) << ir::Print(dynamic.graph);  // input, shuffle
  dynamic.graph.value(dynamic.graph.inputs[0]).shape[0] = 3;
  ASSERT_TRUE(ir::InferShapes(dynamic.graph).ok());

  TestGraph fixed;
  fixed.Output(BuildClassifier(fixed, 3));
  ASSERT_TRUE(ir::InferShapes(fixed.graph).ok());
  testing::ExpectSameResults(fixed.graph, dynamic.graph, 1e-4f);
}

}  // namespace
}  // namespace micrort
