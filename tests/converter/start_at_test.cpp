// Graphs that begin at values inside them.

#include "converter/ir/start_at.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/ir/print.h"
#include "tests/converter/graph_testing.h"

namespace micrort::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// p of x and a constant, q of x and y; outputs e of p, n of q.
class StartAtTest : public ::testing::Test {
 protected:
  StartAtTest() {
    const ValueId x = g_.Input("x", {2}), y = g_.Input("y", {2});
    const ValueId p = g_.Concat("p", {x, g_.Weights("c", {2})}, 0);
    const ValueId q = g_.Concat("q", {x, y}, 0);
    g_.Output(g_.Unary("e", schema::UnaryKind::Exp, p));
    g_.Output(g_.Unary("n", schema::UnaryKind::Neg, q));
  }
  void ExpectError(const std::vector<std::string>& feeds, const char* message) {
    const Status status = StartAt(feeds, &g_.graph);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr(message));
  }
  testing::TestGraph g_;
};

TEST_F(StartAtTest, ChangesNothingWithoutNames) {
  const std::string before = Print(g_.graph);
  ASSERT_TRUE(StartAt({}, &g_.graph).ok());
  EXPECT_EQ(Print(g_.graph), before);
}

TEST_F(StartAtTest, MakesTheFeedsInputsAndDropsWhatComputedThem) {
  ASSERT_TRUE(StartAt({"q", "p"}, &g_.graph).ok());
  std::vector<std::string> names;
  for (const ValueId id : g_.graph.inputs) names.push_back(g_.graph.value(id).name);
  EXPECT_THAT(names, ElementsAre("q", "p"));
  EXPECT_EQ(g_.graph.nodes.size(), 2u);
}

TEST_F(StartAtTest, LeavesNodesWhoseOtherResultsAreNeeded) {
  ASSERT_TRUE(StartAt({"x", "q"}, &g_.graph).ok());
  EXPECT_EQ(g_.graph.nodes.size(), 3u);
}

TEST_F(StartAtTest, RefusesUnusableNames) {
  ExpectError({"nowhere"}, "no tensor 'nowhere'");
  ExpectError({"p", "p"}, "twice");
  ExpectError({"c"}, "'c' is a constant");
  ExpectError({"x"}, "input 'y'");
}

}  // namespace
}  // namespace micrort::ir
