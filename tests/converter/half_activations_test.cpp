// What becomes half between layers, and what stays float.

#include "converter/quantize/half_activations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/ir/infer.h"
#include "converter/quantize/weight_only.h"
#include "tests/converter/graph_testing.h"

namespace micrort::quantize {
namespace {

using ::testing::ElementsAre;
using testing::OperatorsOf;
using testing::TestGraph;

DType TypeOf(const TestGraph& g, const std::string& name) {
  return g.graph.value(g.graph.FindValue(name)).dtype;
}

// How many nodes compute on halves.
size_t Store(TestGraph& g, const LayerTypes& exceptions = {}) {
  EXPECT_TRUE(ir::InferShapes(g.graph).ok());
  Report report;
  StoreWeights(&g.graph, LayerType::kFloat16, exceptions, {}, &report);
  AllowHalfArithmetic(&g.graph);
  const size_t nodes = StoreActivationsAsHalf(&g.graph);
  const Status status = ir::InferShapes(g.graph);
  EXPECT_TRUE(status.ok()) << status.message();
  return nodes;
}

TEST(HalfActivations, AreBetweenLayersAndWhatLiesBetweenThese) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId s = g.Unary("s", schema::UnaryKind::HardSwish, a);
  schema::Pool2DOptionsT pool;
  pool.kernel_h = pool.kernel_w = pool.stride_h = pool.stride_w = 2;
  const ir::ValueId p = g.Node("p", std::move(pool), {s});
  g.graph.outputs = {g.Conv3x3("b", p, 8)};
  EXPECT_EQ(Store(g), 4u);
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Cast", "Conv2D", "Unary", "Pool2D", "Conv2D"));
  for (const char* name : {"a", "s", "p"}) EXPECT_EQ(TypeOf(g, name), DType::kFloat16) << name;
  EXPECT_EQ(TypeOf(g, "x"), DType::kFloat32);
  EXPECT_EQ(TypeOf(g, "b"), DType::kFloat32);
  for (const size_t node : {1, 4})
    EXPECT_EQ(g.graph.nodes[node]->as<schema::Conv2DOptionsT>().compute, schema::WeightCompute::Half);
}

TEST(HalfActivations, ALayerAloneStaysAsItIs) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  g.graph.outputs = {g.Unary("e", schema::UnaryKind::Exp, a)};
  EXPECT_EQ(Store(g), 0u);
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Conv2D", "Unary"));
}

TEST(HalfActivations, ReadersWithoutAHalfFormGetFloats) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId b = g.Conv3x3("b", a, 8);
  const ir::ValueId p = g.Unary("p", schema::UnaryKind::HardSwish, b);
  g.graph.outputs = {g.Unary("e", schema::UnaryKind::Exp, p), g.Conv3x3("c", p, 8)};
  EXPECT_EQ(Store(g), 4u);
  EXPECT_THAT(OperatorsOf(g.graph),
              ElementsAre("Cast", "Conv2D", "Conv2D", "Unary", "Cast", "Unary", "Conv2D"));
}

TEST(HalfActivations, ALayerThatIsToStayFloatIsLeftOut) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId b = g.Conv3x3("b", a, 8);
  g.graph.outputs = {g.Conv3x3("c", b, 8)};
  EXPECT_EQ(Store(g, {{"c", LayerType::kFloat32}}), 2u);
  EXPECT_EQ(TypeOf(g, "a"), DType::kFloat16);
  EXPECT_EQ(TypeOf(g, "b"), DType::kFloat32);
}

TEST(HalfActivations, ConstantsBecomeHalvesUnlessTheyAreTooLarge) {
  for (const float factor : {2.0f, 1e5f}) {
    TestGraph g;
    const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
    const ir::ValueId constant = g.graph.AddConstantOf<float>("factor", {1}, {factor});
    schema::BinaryOptionsT product;
    product.kind = schema::BinaryKind::Mul;
    const ir::ValueId m = g.Node("m", std::move(product), {a, constant});
    g.graph.outputs = {g.Conv3x3("b", m, 8)};
    EXPECT_EQ(Store(g), factor < 65504 ? 3u : 0u);
    EXPECT_EQ(TypeOf(g, "m"), factor < 65504 ? DType::kFloat16 : DType::kFloat32);
  }
}

}  // namespace
}  // namespace micrort::quantize
