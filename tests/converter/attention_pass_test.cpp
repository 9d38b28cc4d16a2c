// Attention out of its products, and Transposes into it.

#include <gtest/gtest.h>

#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using testing::CountOps;
using testing::Outline;
using testing::RunPasses;
using testing::TestGraph;

schema::MatMulOptionsT TransposeB() {
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  return options;
}

schema::SoftmaxOptionsT SoftmaxOver(int axis) {
  schema::SoftmaxOptionsT options;
  options.axis = axis;
  return options;
}

struct Spelling {
  bool scale_query = false;  // instead of the scores
  bool divide = false;       // by the inverse of the scale
  bool mask = false;
  bool mask_first = false;  // added before the scores are scaled
  std::vector<int64_t> mask_shape = {5, 5};
  int softmax_axis = 3;
};

// Over q, k, v of four dimensions, heads first.
ir::ValueId Attend(TestGraph& g, ir::ValueId q, ir::ValueId k, ir::ValueId v, const Spelling& s = {}) {
  const auto scaled = [&](const std::string& name, ir::ValueId x) {
    return s.divide ? g.Binary(name, schema::BinaryKind::Div, x, g.Constant("divisor", {}, {2}))
                    : g.Binary(name, schema::BinaryKind::Mul, g.Constant("factor", {}, {0.5f}), x);
  };
  if (s.scale_query) q = scaled("scaled", q);
  ir::ValueId scores = g.Node("scores", TransposeB(), {q, k});
  const auto add_mask = [&] {
    scores = g.Binary("masked", schema::BinaryKind::Add, scores, g.Weights("mask", s.mask_shape));
  };
  if (s.mask && s.mask_first) add_mask();
  if (!s.scale_query) scores = scaled("scaled", scores);
  if (s.mask && !s.mask_first) add_mask();
  const auto weights = g.Node("weights", SoftmaxOver(s.softmax_axis), {scores});
  return g.Node("attended", schema::MatMulOptionsT(), {weights, v});
}

TEST(RecognizeAttentionPass, HoweverItIsScaledAndMasked) {
  for (int form = 0; form < 8; ++form) {
    Spelling spelling;
    spelling.scale_query = (form & 1) != 0;
    spelling.divide = (form & 2) != 0;
    spelling.mask = (form & 4) != 0;
    TestGraph g;
    const auto q = g.Input("q", {2, 3, 5, 4}), k = g.Input("k", {2, 3, 5, 4}), v = g.Input("v", {2, 3, 5, 6});
    g.Output(Attend(g, q, k, v, spelling));
    EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeAttention}, 1e-5f));
    EXPECT_EQ(Outline(g.graph),
              spelling.mask ? "attended = Attention(q, k, v, mask)\n" : "attended = Attention(q, k, v)\n");
    EXPECT_FLOAT_EQ(g.graph.nodes[0]->as<schema::AttentionOptionsT>().scale, 0.5f);
  }
}

TEST(RecognizeAttentionPass, HeadsOfThreeDimensions) {
  TestGraph g;
  const auto q = g.Transpose("qt", g.Input("q", {5, 3, 4}), {1, 0, 2});
  const auto k = g.Transpose("kt", g.Input("k", {7, 3, 4}), {1, 0, 2});
  const auto v = g.Transpose("vt", g.Input("v", {7, 3, 4}), {1, 0, 2});
  const auto weights = g.Node("weights", SoftmaxOver(2), {g.Node("scores", TransposeB(), {q, k})});
  g.Output(g.Transpose("y", g.Node("attended", schema::MatMulOptionsT(), {weights, v}), {1, 0, 2}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeAttention, passes::FoldTransposeIntoAttention}, 1e-5f));
  EXPECT_EQ(CountOps(g.graph, schema::OpCode::Attention), 1);
  EXPECT_EQ(CountOps(g.graph, schema::OpCode::Transpose), 0) << Outline(g.graph);
}

TEST(RecognizeAttentionPass, TransposesAroundHeadsGo) {
  TestGraph g;
  const auto heads = [&g](const std::string& name) {
    return g.Transpose(name + "t", g.Input(name, {2, 5, 3, 4}), {0, 2, 1, 3});
  };
  Spelling spelling;
  spelling.mask = true;
  spelling.mask_shape = {2, 1, 1, 5};
  const auto q = heads("q"), k = heads("k"), v = heads("v");
  g.Output(g.Transpose("y", Attend(g, q, k, v, spelling), {0, 2, 1, 3}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeAttention, passes::FoldTransposeIntoAttention}, 1e-5f));
  EXPECT_EQ(Outline(g.graph), "y = Attention(q, k, v, mask)\n");
}

// Windows [4] of two images are masked by a bias of heads, and by a mask of their place in the image.
TEST(RecognizeAttentionPass, WindowsHaveTwoMasks) {
  TestGraph g;
  const auto q = g.Input("q", {8, 3, 5, 4}), k = g.Input("k", {8, 3, 5, 4}), v = g.Input("v", {8, 3, 5, 6});
  const auto reshaped = [&g](const std::string& name, ir::ValueId x, std::vector<int32_t> shape) {
    schema::ReshapeOptionsT options;
    options.shape = std::move(shape);
    return g.Node(name, std::move(options), {x});
  };
  const auto scores = g.Node("scores", TransposeB(), {q, k});
  const auto biased = g.Binary("biased", schema::BinaryKind::Add, scores, g.Weights("bias", {1, 3, 5, 5}));
  const auto split = reshaped("split", biased, {2, 4, 3, 5, 5});
  const auto masked = g.Binary("masked", schema::BinaryKind::Add, split, g.Weights("mask", {1, 4, 1, 5, 5}));
  const auto joined = reshaped("joined", masked, {8, 3, 5, 5});
  const auto weights = g.Node("weights", SoftmaxOver(3), {joined});
  g.Output(g.Node("attended", schema::MatMulOptionsT(), {weights, v}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::MoveAddBeforeReshape, passes::RecognizeAttention}, 1e-5f));
  EXPECT_EQ(CountOps(g.graph, schema::OpCode::Attention), 1) << Outline(g.graph);
  EXPECT_EQ(CountOps(g.graph, schema::OpCode::Softmax), 0);
}

// [2,2,7,4], of which head h of four reads head h / 2, or, `in_turn`, head h % 2.
ir::ValueId CopiedHeads(TestGraph& g, const std::string& name, bool in_turn) {
  schema::ExpandOptionsT copies;
  copies.shape = {2, 2, 2, 7, 4};
  const std::vector<int32_t> one =
      in_turn ? std::vector<int32_t>{2, 1, 2, 7, 4} : std::vector<int32_t>{2, 2, 1, 7, 4};
  const auto split = g.Reshape(name + "_one", g.Input(name, {2, 2, 7, 4}), one);
  return g.Reshape(name + "_all", g.Node(name + "_copies", std::move(copies), {split}), {2, 4, 7, 4});
}

TEST(ShareHeadsPass, ReadsHeadsThatAreCopiedForThoseThatFollowEachOther) {
  for (const bool in_turn : {false, true}) {
    TestGraph g;
    const auto q = g.Input("q", {2, 4, 5, 4}), k = CopiedHeads(g, "k", in_turn),
               v = CopiedHeads(g, "v", in_turn);
    g.Output(Attend(g, q, k, v));
    EXPECT_TRUE(RunPasses(g.graph, {passes::RecognizeAttention, passes::ReadSharedHeads}, 1e-5f));
    EXPECT_EQ(CountOps(g.graph, schema::OpCode::Expand), in_turn ? 2 : 0) << Outline(g.graph);
  }
}

TEST(RecognizeAttentionPass, WhatLooksAlikeStays) {
  Spelling other_axis;
  other_axis.softmax_axis = 2;
  Spelling narrow_mask;  // the same for all keys
  narrow_mask.mask = true;
  narrow_mask.mask_shape = {5, 1};
  Spelling scaled_mask;
  scaled_mask.mask = scaled_mask.mask_first = true;
  Spelling wide_mask;  // of more items than there are queries
  wide_mask.mask = true;
  wide_mask.mask_shape = {4, 1, 1, 5};
  for (const Spelling& spelling : {other_axis, narrow_mask, scaled_mask, wide_mask}) {
    TestGraph g;
    const auto q = g.Input("q", {1, 3, 5, 4}), k = g.Input("k", {1, 3, 5, 4}), v = g.Input("v", {1, 3, 5, 6});
    g.Output(Attend(g, q, k, v, spelling));
    EXPECT_FALSE(RunPasses(g.graph, {passes::RecognizeAttention}));
  }

  TestGraph read_twice;  // the weights are an output too
  const auto q = read_twice.Input("q", {1, 3, 5, 4}), k = read_twice.Input("k", {1, 3, 5, 4});
  read_twice.Output(Attend(read_twice, q, k, read_twice.Input("v", {1, 3, 5, 6})));
  read_twice.Output(read_twice.graph.FindValue("weights"));
  EXPECT_FALSE(RunPasses(read_twice.graph, {passes::RecognizeAttention}));

  TestGraph broadcast;  // one key head for all
  const auto p = broadcast.Input("q", {1, 3, 5, 4});
  broadcast.Output(
      Attend(broadcast, p, broadcast.Input("k", {1, 1, 5, 4}), broadcast.Input("v", {1, 3, 5, 6})));
  EXPECT_FALSE(RunPasses(broadcast.graph, {passes::RecognizeAttention}));
}

}  // namespace
}  // namespace micrort
