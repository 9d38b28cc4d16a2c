#include <gtest/gtest.h>

#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using testing::Outline;
using testing::RunPasses;
using testing::TestGraph;

ir::ValueId Tile(TestGraph& g, const std::string& name, ir::ValueId x, int32_t times) {
  schema::TileOptionsT options;
  options.repeats = {times};
  return g.Node(name, std::move(options), {x});
}

ir::ValueId Head(TestGraph& g, const std::string& name, ir::ValueId x) {
  schema::SliceOptionsT options;
  options.starts = {0};
  options.ends = {1};
  options.axes = {0};
  options.steps = {1};
  return g.Node(name, std::move(options), {x});
}

// Large intermediate values one after the other instead of both at once.
TEST(OrderForMemoryPass, FinishesABranchBeforeTheNext) {
  TestGraph g;
  const auto x = g.Input("x", {1});
  const auto large_a = Tile(g, "large_a", x, 100);
  const auto large_b = Tile(g, "large_b", x, 100);
  const auto a = Head(g, "a", large_a);
  const auto b = Head(g, "b", large_b);
  g.Output(g.Concat("y", {a, b}, 0));
  EXPECT_TRUE(RunPasses(g.graph, {passes::OrderForMemory}));
  EXPECT_EQ(
      Outline(g.graph),
      "large_a = Tile(x)\na = Slice(large_a)\nlarge_b = Tile(x)\nb = Slice(large_b)\ny = Concat(a, b)\n");
}

// The branch that needs most memory for itself comes first, while little else is alive.
TEST(OrderForMemoryPass, HungriestBranchFirst) {
  TestGraph g;
  const auto x = g.Input("x", {1});
  const auto small = Tile(g, "small", x, 40);
  const auto large = Tile(g, "large", x, 100);
  g.Output(g.Concat("y", {small, Head(g, "a", large)}, 0));
  EXPECT_TRUE(RunPasses(g.graph, {passes::OrderForMemory}));
  EXPECT_EQ(Outline(g.graph), "large = Tile(x)\na = Slice(large)\nsmall = Tile(x)\ny = Concat(small, a)\n");
}

TEST(OrderForMemoryPass, KeepsAnOrderThatIsAsGood) {
  TestGraph g;
  const auto x = g.Input("x", {4});
  const auto b = g.Relu("b", x);
  const auto a = g.Relu("a", x);
  g.Output(g.Concat("y", {a, b}, 0));
  EXPECT_FALSE(RunPasses(g.graph, {passes::OrderForMemory}));
}

}  // namespace
}  // namespace micrort
