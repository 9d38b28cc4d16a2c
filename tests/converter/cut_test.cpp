// Cutting a part out of a graph.

#include "converter/ir/cut.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/ir/print.h"
#include "tests/converter/graph_testing.h"

namespace micrort::ir {
namespace {

using ::testing::HasSubstr;
using testing::TestGraph;

// e = shape of p, p = x and c; n = shape of q, q = x and y.
class CutGraphTest : public ::testing::Test {
 protected:
  CutGraphTest() {
    const ValueId x = g_.Input("x", {2}), y = g_.Input("y", {2});
    const ValueId p = g_.Node("p", schema::ConcatOptionsT(), {x, g_.Weights("c", {2})});
    const ValueId q = g_.Node("q", schema::ConcatOptionsT(), {x, y});
    g_.graph.outputs = {g_.Node("e", schema::ShapeOptionsT(), {p}),
                        g_.Node("n", schema::ShapeOptionsT(), {q})};
  }
  void ExpectError(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                   const char* message) {
    const Status status = CutGraph(feeds, fetches, &g_.graph);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr(message));
  }
  std::vector<std::string> Names(const std::vector<ValueId>& ids) {
    std::vector<std::string> names;
    for (const ValueId id : ids) names.push_back(g_.graph.value(id).name);
    return names;
  }
  TestGraph g_;
};

TEST_F(CutGraphTest, ChangesNothingWithoutNames) {
  const std::string before = Print(g_.graph);
  ASSERT_TRUE(CutGraph({}, {}, &g_.graph).ok());
  EXPECT_EQ(Print(g_.graph), before);
}

TEST_F(CutGraphTest, DropsWhatNoFetchNeeds) {
  ASSERT_TRUE(CutGraph({}, {"e"}, &g_.graph).ok());
  EXPECT_THAT(Names(g_.graph.outputs), ::testing::ElementsAre("e"));
  EXPECT_THAT(Names(g_.graph.inputs), ::testing::ElementsAre("x", "y"));
  EXPECT_EQ(g_.graph.nodes.size(), 2u);
}

TEST_F(CutGraphTest, StartsAtFeeds) {
  ASSERT_TRUE(CutGraph({"q", "p"}, {}, &g_.graph).ok());
  EXPECT_THAT(Names(g_.graph.inputs), ::testing::ElementsAre("q", "p"));
  EXPECT_EQ(g_.graph.nodes.size(), 2u);
}

TEST_F(CutGraphTest, MayFetchInsideTheGraph) {
  ASSERT_TRUE(CutGraph({"x"}, {"p", "e"}, &g_.graph).ok());
  EXPECT_THAT(Names(g_.graph.outputs), ::testing::ElementsAre("p", "e"));
}

TEST_F(CutGraphTest, RefusesUnusableNames) {
  ExpectError({}, {"nowhere"}, "no tensor 'nowhere'");
  ExpectError({"nowhere"}, {}, "--feeds");
  ExpectError({"p", "p"}, {}, "twice");
  ExpectError({"c"}, {}, "'c' is a constant");
  ExpectError({"x"}, {"n"}, "input 'y'");
}

}  // namespace
}  // namespace micrort::ir
