// Estimated times of operators.

#include "converter/cost/node_cost.h"

#include <gtest/gtest.h>

#include "converter/ir/infer.h"
#include "converter/quantize/static_int8.h"
#include "kernels/gemm/gemm_f32.h"
#include "tests/converter/graph_testing.h"

namespace micrort::cost {
namespace {

using micrort::testing::TestGraph;

const CpuFeatures kAll = DetectCpuFeatures();

TEST(NodeCost, GrowsWithTheWorkOfALayer) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 16, 16, 16});
  // Eight times the products. Few columns cost what those that fill a panel do, and panels may be 32 wide.
  g.Output(g.Conv3x3("large", g.Conv3x3("small", x, 16), 128));
  const double small = NodeMicroseconds(g.graph, *g.graph.nodes[0], kAll);
  EXPECT_GT(small, 0);
  EXPECT_GT(NodeMicroseconds(g.graph, *g.graph.nodes[1], kAll), 2 * small);
  // Fuzzing and coverage build portable kernels alone.
  if (SelectGemmF32(kAll, 16) == SelectGemmF32(CpuFeatures{0}, 16))
    GTEST_SKIP() << "skipped: portable kernels alone";
  EXPECT_GT(NodeMicroseconds(g.graph, *g.graph.nodes[0], CpuFeatures{0}), small);
}

TEST(NodeCost, CountsOperatorsThatOnlyMoveOrCompareElements) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 100, 100, 8});
  const ir::ValueId y = g.Reshape("y", g.Unary("e", schema::UnaryKind::Exp, x), {-1});
  g.Output(y);
  EXPECT_GT(NodeMicroseconds(g.graph, *g.graph.nodes[0], kAll), 1);
  EXPECT_EQ(NodeMicroseconds(g.graph, *g.graph.nodes[1], kAll), 0);
}

TEST(NodeCost, TakesDynamicDimensionsAsOne) {
  TestGraph one, any;
  one.Output(one.Conv3x3("y", one.Input("x", {1, 16, 16, 16}), 16));
  any.Output(any.Conv3x3("y", any.Input("x", {ir::kDynamic, 16, 16, 16}), 16));
  ASSERT_TRUE(ir::InferShapes(one.graph).ok());
  ASSERT_TRUE(ir::InferShapes(any.graph).ok());
  EXPECT_DOUBLE_EQ(GraphMicroseconds(one.graph, kAll), GraphMicroseconds(any.graph, kAll));
}

TEST(NodeCost, CountsConversionsAtTheBordersOfInt8) {
  TestGraph g;
  g.Output(g.Conv3x3("y", g.Input("x", {1, 16, 16, 16}), 16));
  ASSERT_TRUE(ir::InferShapes(g.graph).ok());
  observe::Calibration calibration;
  calibration.ranges["x"] = calibration.ranges["y"] = {-1.0f, 1.0f, true};
  quantize::Report report;
  quantize::QuantizeStatically(&g.graph, calibration, quantize::PtqCorrection(), {}, {}, &report);
  ASSERT_EQ(g.graph.nodes[0]->code, schema::OpCode::Quantize);
  EXPECT_GT(NodeMicroseconds(g.graph, *g.graph.nodes[0], kAll), 0);
}

}  // namespace
}  // namespace micrort::cost
