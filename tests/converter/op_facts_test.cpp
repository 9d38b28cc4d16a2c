// What options say of a node beside its operator, against what the node computes.

#include "converter/ir/op_facts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "converter/ir/infer.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using ir::Movement;
using testing::Floats;
using testing::TestGraph;

template <typename OptionsT>
ir::ValueId Of(TestGraph& g, const std::string& name, ir::ValueId x, OptionsT options) {
  return g.Node(name, std::move(options), {x});
}

schema::PadOptionsT Pad(schema::PadMode mode, float value) {
  schema::PadOptionsT o;
  o.mode = mode;
  o.pads = {0, 1, 1, 0, 0, 1, 0, 0};
  o.value = value;
  return o;
}

schema::ResizeOptionsT Resize(schema::ResizeMode mode) {
  schema::ResizeOptionsT o;
  o.mode = mode;
  o.sizes = {1, 8, 6, 2};
  return o;
}

schema::Pool2DOptionsT Pool(schema::PoolKind kind) {
  schema::Pool2DOptionsT o;
  o.kind = kind;
  o.kernel_h = o.kernel_w = 2;
  return o;
}

// One node of each operator that moves data, always or by its options, and others of these that do not.
class Movements : public ::testing::Test {
 protected:
  Movements() : x_(g_.Input("x", {1, 4, 3, 2})) {
    using schema::PadMode;
    using schema::ResizeMode;
    Expect(Movement::kMoves, g_.Transpose("transpose", x_, {0, 2, 1, 3}));
    Expect(Movement::kMoves, g_.Reshape("reshape", x_, {6, 4}));
    Expect(Movement::kMoves, g_.Concat("concat", {x_, x_}, 1));
    Expect(Movement::kMoves, g_.Unary("identity", schema::UnaryKind::Identity, x_));
    Expect(Movement::kNone, g_.Unary("abs", schema::UnaryKind::Abs, x_));
    Expect(Movement::kFillsZero, Of(g_, "zeros", x_, Pad(PadMode::Constant, 0.0f)));
    Expect(Movement::kNone, Of(g_, "ones", x_, Pad(PadMode::Constant, 1.0f)));
    Expect(Movement::kMoves, Of(g_, "reflect", x_, Pad(PadMode::Reflect, 1.0f)));
    Expect(Movement::kMoves, Of(g_, "nearest", x_, Resize(ResizeMode::Nearest)));
    Expect(Movement::kNone, Of(g_, "linear", x_, Resize(ResizeMode::Linear)));
    Expect(Movement::kChooses, Of(g_, "max", x_, Pool(schema::PoolKind::Max)));
    Expect(Movement::kNone, Of(g_, "average", x_, Pool(schema::PoolKind::Average)));
    schema::TileOptionsT tile;
    tile.repeats = {2, 1, 1, 1};
    Expect(Movement::kMoves, Of(g_, "tile", x_, tile));
    Expect(Movement::kMoves, g_.Node("same_type", schema::CastOptionsT(), {x_}, DType::kFloat32));
    Expect(Movement::kConverts, g_.Node("double", schema::CastOptionsT(), {x_}, DType::kFloat64));
    Expect(Movement::kNone, g_.Node("bool", schema::CastOptionsT(), {x_}, DType::kBool));
    schema::CastOptionsT bits;
    bits.reinterpret = true;
    Expect(Movement::kNone, g_.Node("bits", bits, {x_}, DType::kInt32));
    EXPECT_TRUE(ir::InferShapes(g_.graph).ok());
  }

  void Expect(Movement movement, ir::ValueId output) {
    g_.Output(output);
    expected_.push_back(movement);
  }

  TestGraph g_;
  ir::ValueId x_;
  std::vector<Movement> expected_;  // of the nodes in turn
};

TEST_F(Movements, AreToldByOperatorAndOptions) {
  ASSERT_EQ(g_.graph.nodes.size(), expected_.size());
  for (size_t i = 0; i < expected_.size(); ++i) {
    const ir::Node& node = *g_.graph.nodes[i];
    EXPECT_EQ(ir::MovementOf(g_.graph, node), expected_[i]) << g_.graph.value(node.outputs[0]).name;
  }
}

TEST_F(Movements, LeaveNoOtherElementInTheOutput) {
  const Floats x = {0.5f, -1, 2,   3.25f, -4, 5,  6,  -7, 8,  9,   10, 11,
                    12,   13, -14, 15,    16, 17, 18, 19, 20, -21, 22, 23};
  std::map<std::string, Floats> outputs;
  const Status status = testing::Evaluate(g_.graph, {{"x", x}}, &outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  for (size_t i = 0; i < expected_.size(); ++i) {
    const std::string& name = g_.graph.value(g_.graph.nodes[i]->outputs[0]).name;
    if (expected_[i] == Movement::kConverts) continue;
    const bool only_moved = std::all_of(outputs[name].begin(), outputs[name].end(), [&](float v) {
      return (v == 0.0f && expected_[i] == Movement::kFillsZero) || std::count(x.begin(), x.end(), v) != 0;
    });
    EXPECT_EQ(only_moved, expected_[i] != Movement::kNone) << name;
  }
}

TEST_F(Movements, OfOneInputCommuteWithQuantization) {
  for (const auto& node : g_.graph.nodes) {
    const std::string& name = g_.graph.value(node->outputs[0]).name;
    const Movement movement = ir::MovementOf(g_.graph, *node);
    const bool expected = name != "concat" && movement != Movement::kNone && movement != Movement::kConverts;
    EXPECT_EQ(ir::CommutesWithQuantization(g_.graph, *node), expected) << name;
  }
}

TEST(ChannelAxis, IsThatOfTheWeightsOutputChannels) {
  TestGraph g;
  ir::Node node;
  const auto axis = [&](schema::OpCode code, int rank) {
    node.code = code;
    return ir::ChannelAxis(node, rank);
  };
  EXPECT_EQ(axis(schema::OpCode::Conv2D, 4), 0);
  EXPECT_EQ(axis(schema::OpCode::Conv2D, 3), -1);
  EXPECT_EQ(axis(schema::OpCode::DepthwiseConv2D, 3), 2);
  EXPECT_EQ(axis(schema::OpCode::Recurrent, 2), 0);
  EXPECT_EQ(axis(schema::OpCode::Softmax, 2), -1);
  schema::MatMulOptionsT product;
  node.options.Set(product);
  EXPECT_EQ(axis(schema::OpCode::MatMul, 3), 2);
  EXPECT_EQ(axis(schema::OpCode::MatMul, 1), -1);
  product.transpose_b = true;
  node.options.Set(product);
  EXPECT_EQ(axis(schema::OpCode::MatMul, 3), 1);
}

}  // namespace
}  // namespace micrort
