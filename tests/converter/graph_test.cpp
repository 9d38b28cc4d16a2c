#include "converter/ir/graph.h"

#include <gmock/gmock.h>

#include "converter/ir/build.h"
#include "converter/ir/options_bytes.h"
#include "converter/ir/print.h"

namespace micrort::ir {
namespace {

using ::testing::ElementsAre;

ValueId AddInput(Graph& graph, const std::string& name, std::vector<int64_t> shape) {
  Value v;
  v.name = name;
  v.dtype = DType::kFloat32;
  v.has_shape = true;
  v.shape = std::move(shape);
  graph.inputs.push_back(graph.AddValue(std::move(v)));
  return graph.inputs.back();
}

TEST(Graph, MakesNamesUnique) {
  Graph graph;
  const ValueId a = AddInput(graph, "x", {});
  const ValueId b = AddInput(graph, "x", {});
  const ValueId c = AddInput(graph, "", {});
  EXPECT_EQ(graph.value(a).name, "x");
  EXPECT_EQ(graph.value(b).name, "x_1");
  EXPECT_EQ(graph.FindValue("x_1"), b);
  graph.Rename(c, "x");
  EXPECT_EQ(graph.value(c).name, "x_2");
  graph.Rename(a, "free");
  graph.Rename(c, "x");
  EXPECT_EQ(graph.FindValue("x"), c);
  EXPECT_EQ(graph.FindValue("x_2"), kNoValue);
}

TEST(Graph, KnowsWhoReadsAndWrites) {
  Graph graph;
  const ValueId x = AddInput(graph, "x", {4});
  Builder build(graph, {}, "n");
  const ValueId y = build.Unary(schema::UnaryKind::Exp, x);
  const ValueId z = build.Binary(schema::BinaryKind::Add, y, y);
  graph.outputs = {z};
  const Graph::Uses uses = graph.ComputeUses();
  EXPECT_EQ(uses.producer[static_cast<size_t>(x)], nullptr);
  EXPECT_EQ(uses.producer[static_cast<size_t>(y)], graph.nodes[0].get());
  EXPECT_EQ(uses.consumers[static_cast<size_t>(y)].size(), 2u);
  EXPECT_EQ(uses.single_consumer(x), graph.nodes[0].get());
  EXPECT_EQ(uses.single_consumer(y), nullptr);
  EXPECT_EQ(uses.single_consumer(z), nullptr);
  EXPECT_TRUE(uses.is_output[static_cast<size_t>(z)]);
}

TEST(Graph, ReplacesUsesInNodesAndOutputs) {
  Graph graph;
  const ValueId x = AddInput(graph, "x", {4});
  Builder build(graph, {}, "n");
  const ValueId y = build.Unary(schema::UnaryKind::Exp, x);
  const ValueId z = build.Unary(schema::UnaryKind::Log, y);
  graph.outputs = {y};
  graph.ReplaceUses(y, x);
  EXPECT_THAT(graph.nodes[1]->inputs, ElementsAre(x));
  EXPECT_THAT(graph.outputs, ElementsAre(x));
  EXPECT_THAT(graph.nodes[1]->outputs, ElementsAre(z));
}

TEST(Graph, SortRestoresRunOrderAndKeepsWhatIsInOrder) {
  Graph graph;
  const ValueId x = AddInput(graph, "x", {4});
  Builder build(graph, {}, "n");
  const ValueId a = build.Unary(schema::UnaryKind::Exp, x);
  build.Unary(schema::UnaryKind::Log, a);
  build.Unary(schema::UnaryKind::Abs, x);
  std::swap(graph.nodes[0], graph.nodes[1]);
  ASSERT_TRUE(graph.Sort());
  EXPECT_EQ(Print(graph),
            "input x float32[4]\n"
            "n/Unary = Unary(x) { kind: Exp }\n"
            "n/Unary_1 = Unary(n/Unary) { kind: Log }\n"
            "n/Unary_2 = Unary(x) { kind: Abs }\n");
}

TEST(Graph, SortFindsCycles) {
  Graph graph;
  const ValueId x = AddInput(graph, "x", {4});
  Builder build(graph, {}, "n");
  const ValueId a = build.Unary(schema::UnaryKind::Exp, x);
  const ValueId b = build.Unary(schema::UnaryKind::Log, a);
  graph.nodes[0]->inputs = {b};
  EXPECT_FALSE(graph.Sort());
}

TEST(Print, ShowsTypesAbsentInputsAndOptions) {
  Graph graph;
  const ValueId x = AddInput(graph, "x", {kDynamic, 8, 8, kDynamic});
  graph.value(x).dim_names = {"N", "", "", ""};
  const ValueId w = graph.AddConstantOf<float>("w", {1, 1, 1, 1}, {1});
  schema::Conv2DOptionsT options;
  options.stride_h = 2;
  options.activation = schema::Activation(schema::ActivationKind::Clip, 0, 6);
  Builder build(graph, {}, "n");
  graph.outputs = {build.Add(std::move(options), {x, w, kNoValue, x})};
  EXPECT_EQ(Print(graph),
            "input x float32[N,8,8,?]\n"
            "n/Conv2D = Conv2D(x, w, -, x) "
            "{ stride_h: 2, activation: { kind: Clip, a: 0.0, b: 6.0 } }\n"
            "output n/Conv2D unknown?\n");
}

TEST(OptionsBytes, AreEqualExactlyForEqualOptions) {
  Graph graph;
  const ValueId x = AddInput(graph, "x", {4, 4});
  Builder build(graph, {}, "n");
  build.Transpose(x, {1, 0});
  build.Transpose(x, {1, 0});
  build.Transpose(x, {0, 1});
  EXPECT_EQ(OptionsBytes(*graph.nodes[0]), OptionsBytes(*graph.nodes[1]));
  EXPECT_NE(OptionsBytes(*graph.nodes[0]), OptionsBytes(*graph.nodes[2]));
}

}  // namespace
}  // namespace micrort::ir
