#include <gtest/gtest.h>

#include "converter/ir/infer.h"
#include "converter/ir/print.h"
#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using testing::Outline;
using testing::TestGraph;

bool UseNhwc(ir::Graph& graph) {
  bool changed = false;
  EXPECT_TRUE(ir::InferShapes(graph).ok());
  EXPECT_TRUE(passes::UseNhwcForInputsAndOutputs(graph, &changed).ok());
  EXPECT_TRUE(ir::InferShapes(graph).ok());
  return changed;
}

TEST(IoLayoutPass, TransposesAtTheEdgesGo) {
  TestGraph g;
  const auto x = g.Input("x", {1, 3, 4, 5});
  const auto conv = g.Conv3x3("conv", g.Transpose("in", x, {0, 2, 3, 1}), 2);
  g.Output(g.Transpose("y", conv, {0, 3, 1, 2}));
  EXPECT_TRUE(UseNhwc(g.graph));
  EXPECT_EQ(Outline(g.graph), "y = Conv2D(x, conv.w, conv.b)\n");
  for (const char* name : {"x", "y"}) {
    EXPECT_EQ(g.graph.value(g.graph.FindValue(name)).source_order, (std::vector<int>{0, 2, 3, 1})) << name;
  }
  EXPECT_EQ(ir::PrintType(g.graph.value(x)), "float32[1,4,5,3]");
}

TEST(IoLayoutPass, InputsThatAreReadOtherwiseStay) {
  TestGraph g;
  const auto x = g.Input("x", {1, 3, 4, 5});
  g.Output(g.Conv3x3("conv", g.Transpose("in", x, {0, 2, 3, 1}), 2));
  g.Output(g.Relu("relu", x));
  EXPECT_FALSE(UseNhwc(g.graph));
}

}  // namespace
}  // namespace micrort
