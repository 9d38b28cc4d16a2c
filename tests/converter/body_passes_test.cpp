// Passes that look at nodes with bodies.

#include <gmock/gmock.h>

#include "converter/ir/infer.h"
#include "converter/passes/inline_branches.h"
#include "converter/passes/passes.h"
#include "converter/pipeline/pipeline.h"
#include "tests/converter/graph_testing.h"
#include "tests/converter/onnx_builder.h"

namespace micrort {
namespace {

using schema::OpCode;
using testing::Branch;
using testing::CountOps;
using testing::Import;
using testing::Imported;
using testing::OnnxBuilder;

// y = c ? x + k : -x, where c is an input.
Imported Choice() {
  OnnxBuilder b;
  b.Input("c", {}, ::onnx::TensorProto::BOOL).Input("x", {"2"}).Input("k", {"2"}).Node("If", {"c"}, {"y"});
  b.Graph("then_branch", Branch("Add", {"x", "k"})).Graph("else_branch", Branch("Neg", {"x"}));
  return Import(b.Output("y"));
}

TEST(InlineBranches, PutsTheChosenBranchInThePlaceOfTheIf) {
  for (const uint8_t condition : {uint8_t{0}, uint8_t{1}}) {
    Imported imported = Choice();
    ASSERT_TRUE(imported.status.ok()) << imported.status.message();
    ir::Graph& graph = imported.graph();
    graph.nodes[0]->inputs[0] = graph.AddConstant("known", DType::kBool, {}, {condition});
    bool changed = false;
    ASSERT_TRUE(passes::InlineBranches(graph, &changed).ok());
    EXPECT_TRUE(changed);
    ASSERT_TRUE(ir::InferShapes(graph).ok());
    EXPECT_EQ(CountOps(graph, OpCode::If), 0);
    std::map<std::string, testing::Floats> outputs;
    ASSERT_TRUE(testing::Evaluate(graph, {{"x", {1, 2}}, {"k", {10, 20}}}, &outputs).ok());
    EXPECT_EQ(outputs["y"], condition != 0 ? testing::Floats({11, 22}) : testing::Floats({-1, -2}));
  }
}

// y = c ? (d ? x + k : -x) : -x, where d turns out to be true: the graphs inside that one are known to the
// passes before it goes.
TEST(InlineBranches, BranchesInsideOfBodiesAreInlinedThere) {
  OnnxBuilder inner;
  inner.Node("If", {"d"}, {"z"});
  inner.Graph("then_branch", Branch("Add", {"x", "k"})).Graph("else_branch", Branch("Neg", {"x"}));
  OnnxBuilder b;
  b.Input("c", {}, ::onnx::TensorProto::BOOL).Input("d", {}, ::onnx::TensorProto::BOOL);
  b.Input("x", {"2"}).Input("k", {"2"}).Node("If", {"c"}, {"y"});
  b.Graph("then_branch", inner.Output("z")).Graph("else_branch", Branch("Neg", {"x"}));
  Imported imported = Import(b.Output("y"));
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ir::Graph& graph = imported.graph();
  ir::Graph& body = *graph.nodes[0]->bodies[0];
  body.nodes[0]->inputs[0] = body.AddConstant("known", DType::kBool, {}, {1});
  ASSERT_TRUE(passes::Optimize(graph, {}).ok());
  EXPECT_EQ(CountOps(graph, OpCode::If), 1);
  EXPECT_EQ(CountOps(body, OpCode::If), 0);
  EXPECT_EQ(CountOps(body, OpCode::Binary), 1);
}

TEST(InlineBranches, LeavesConditionsThatARunDecides) {
  Imported imported = Choice();
  bool changed = false;
  ASSERT_TRUE(passes::InlineBranches(imported.graph(), &changed).ok());
  EXPECT_FALSE(changed);
  EXPECT_EQ(CountOps(imported.graph(), OpCode::If), 1);
}

TEST(SimplifyBodies, ConstantsMoveInAndWhatNobodyReadsGoes) {
  Imported imported = Choice();
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ir::Graph& graph = imported.graph();
  ir::Node& node = *graph.nodes[0];
  ASSERT_EQ(node.inputs.size(), 3u);  // condition, x, k
  graph.value(node.inputs[2]).data = std::make_shared<const ir::Bytes>(8);
  bool changed = false;
  ASSERT_TRUE(passes::SimplifyBodies(graph, &changed).ok());
  EXPECT_TRUE(changed);
  EXPECT_EQ(node.inputs.size(), 2u);
  for (const auto& body : node.bodies) EXPECT_EQ(body->inputs.size(), 1u);
  EXPECT_TRUE(node.bodies[0]->value(node.bodies[0]->nodes[0]->inputs[1]).is_constant());
  changed = false;
  ASSERT_TRUE(passes::SimplifyBodies(graph, &changed).ok());
  EXPECT_FALSE(changed);
}

}  // namespace
}  // namespace micrort
