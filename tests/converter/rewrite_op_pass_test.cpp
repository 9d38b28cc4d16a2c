// Operators that become other operators: depthwise convolutions, gated activations, pools, transposed
// products.

#include <gtest/gtest.h>

#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using testing::Outline;
using testing::RunPasses;
using testing::TestGraph;

TEST(ToDepthwisePass, OneChannelAGroup) {
  TestGraph g;
  const auto x = g.Input("x", {1, 5, 4, 3});
  schema::Conv2DOptionsT options;
  options.groups = 3;
  options.stride_w = 2;
  options.pad_top = 1;
  g.Output(g.Node("y", std::move(options), {x, g.Weights("w", {6, 3, 2, 1}), g.Weights("b", {6})}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::TurnConvIntoDepthwise}, 1e-5f));
  EXPECT_EQ(Outline(g.graph), "y = DepthwiseConv2D(x, w_1, b)\n");
}

TEST(ToDepthwisePass, LargerGroupsStay) {
  TestGraph g;
  const auto x = g.Input("x", {1, 5, 4, 4});
  schema::Conv2DOptionsT options;
  options.groups = 2;
  g.Output(g.Node("y", std::move(options), {x, g.Weights("w", {6, 3, 2, 2})}));
  EXPECT_FALSE(RunPasses(g.graph, {passes::TurnConvIntoDepthwise}));
}

TEST(GatedActivationsPass, Silu) {
  TestGraph g;
  const auto x = g.Relu("h", g.Input("x", {2, 3}));
  g.Output(g.Binary("y", schema::BinaryKind::Mul, g.Unary("gate", schema::UnaryKind::Sigmoid, x), x));
  EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeGatedActivations}, 1e-5f));
  EXPECT_EQ(Outline(g.graph), "h = Unary(x)\ny = Unary(h)\n");
}

ir::ValueId Relu6Plus3(TestGraph& g, ir::ValueId x) {
  const auto plus = g.Binary("plus", schema::BinaryKind::Add, x, g.Constant("three", {}, {3}));
  return g.Unary("clipped", schema::UnaryKind::Clip, plus, 0, 6);
}

TEST(GatedActivationsPass, HardSwishHoweverItIsWritten) {
  for (int form = 0; form < 3; ++form) {
    TestGraph g;
    const auto x = g.Input("x", {2, 30});
    const auto gate = Relu6Plus3(g, x);
    const auto six = g.Constant("six", {}, {6});
    const auto sixth = g.Constant("sixth", {}, {1.0f / 6.0f});
    if (form == 0) {
      g.Output(
          g.Binary("y", schema::BinaryKind::Div, g.Binary("product", schema::BinaryKind::Mul, x, gate), six));
    } else if (form == 1) {
      g.Output(
          g.Binary("y", schema::BinaryKind::Mul, x, g.Binary("sigmoid", schema::BinaryKind::Div, gate, six)));
    } else {
      g.Output(g.Binary("y", schema::BinaryKind::Mul,
                        g.Binary("sigmoid", schema::BinaryKind::Mul, sixth, gate), x));
    }
    EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeGatedActivations}, 1e-5f));
    EXPECT_EQ(Outline(g.graph), "y = Unary(x)\n");
    EXPECT_EQ(g.graph.nodes[0]->as<schema::UnaryOptionsT>().kind, schema::UnaryKind::HardSwish);
  }
}

TEST(ReduceToPoolPass, MeanOverHeightAndWidth) {
  for (const bool keep : {true, false}) {
    TestGraph g;
    schema::ReduceOptionsT options;
    options.kind = schema::ReduceKind::Mean;
    options.axes = {1, 2};
    options.keep_dims = keep;
    g.Output(g.Node("y", std::move(options), {g.Input("x", {2, 3, 4, 5})}));
    EXPECT_TRUE(RunPasses(g.graph, {passes::TurnReduceIntoPool}, 1e-5f));
    EXPECT_EQ(Outline(g.graph), keep ? "y = Pool2D(x)\n" : "y/Pool2D = Pool2D(x)\ny = Reshape(y/Pool2D)\n");
  }
}

TEST(TransposeIntoMatMulPass, SwapOfTheLastTwo) {
  TestGraph g;
  const auto a = g.Input("a", {2, 3, 4});
  const auto b = g.Transpose("bt", g.Input("b", {2, 5, 4}), {0, 2, 1});
  g.Output(g.Node("y", schema::MatMulOptionsT(), {a, b}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::FoldTransposeIntoMatMul}, 1e-5f));
  EXPECT_EQ(Outline(g.graph), "y = MatMul(a, b)\n");
}

TEST(TransposeIntoMatMulPass, LongerTransposesCopyWholeRowsAfterwards) {
  TestGraph g;
  const auto a = g.Input("a", {2, 3, 4});
  const auto b = g.Transpose("bt", g.Input("b", {5, 2, 4}), {1, 2, 0});
  g.Output(g.Node("y", schema::MatMulOptionsT(), {a, b}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::FoldTransposeIntoMatMul}, 1e-5f));
  EXPECT_EQ(Outline(g.graph), "y/Transpose = Transpose(b)\ny = MatMul(a, y/Transpose)\n");
}

TEST(TieTablesPass, HeadsReadTheTableInPlaceOfATurnedCopy) {
  for (const bool same : {true, false}) {
    TestGraph g;
    const std::vector<float> table = {1, 2, 3, 4, 5, 6};
    std::vector<float> turned = {1, 3, 5, 2, 4, 6};
    if (!same) turned.back() = 7;
    const auto t = g.Constant("t", {3, 2}, table), w = g.Constant("w", {2, 3}, turned);
    const auto indices = g.graph.AddConstantOf("i", {2}, std::vector<int64_t>{2, 0});
    g.Output(g.Node("rows", schema::GatherOptionsT(), {t, indices}));
    g.Output(g.Node("y", schema::MatMulOptionsT(), {g.Input("x", {4, 2}), w}));
    EXPECT_EQ(RunPasses(g.graph, {passes::TieTables}, 1e-5f), same);
    EXPECT_EQ(Outline(g.graph),
              same ? "rows = Gather(t, i)\ny = MatMul(x, t)\n" : "rows = Gather(t, i)\ny = MatMul(x, w)\n");
  }
}

TEST(TransposeIntoWeightsPass, FlatteningReordersTheWeights) {
  for (const bool transpose_b : {false, true}) {
    TestGraph g;
    const auto nchw = g.Transpose("nchw", g.Input("x", {2, 3, 4, 5}), {0, 3, 1, 2});
    const auto flat = g.Reshape("flat", nchw, {-2, 60});
    schema::MatMulOptionsT options;
    options.transpose_b = transpose_b;
    const std::vector<int64_t> shape =
        transpose_b ? std::vector<int64_t>{7, 60} : std::vector<int64_t>{60, 7};
    g.Output(g.Node("y", std::move(options), {flat, g.Weights("w", shape)}));
    EXPECT_TRUE(RunPasses(g.graph, {passes::FoldTransposeIntoWeights}, 1e-5f));
    EXPECT_EQ(Outline(g.graph), "flat = Reshape(x)\ny = MatMul(flat, w_1)\n");
  }
}

}  // namespace
}  // namespace micrort
