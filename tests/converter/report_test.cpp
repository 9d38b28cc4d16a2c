// What mnnconvert prints at its end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/report/summary.h"
#include "converter/report/verify.h"
#include "tests/converter/graph_testing.h"

namespace micrort::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(SummaryText, GroupsDigitsAndNamesTheMachine) {
  Summary summary;
  summary.is_measured = true;
  summary.file_bytes = 1234567;
  summary.arena_bytes = 999;
  summary.arena_lower_bound = 1000000;
  summary.device = "avx2";
  EXPECT_THAT(SummaryText(summary),
              AllOf(HasSubstr("1,234,567 bytes"), HasSubstr("arena      999 bytes"),
                    HasSubstr("1,000,000 (avx2, one thread)"), Not(HasSubstr("layers"))));
}

TEST(SummaryText, CountsTransposesInsideAndAtTheEdge) {
  testing::TestGraph g;
  const auto x = g.Transpose("nhwc", g.Input("x", {1, 3, 4, 5}), {0, 2, 3, 1});
  const auto inside = g.Transpose("inside", g.Relu("relu", x), {0, 3, 1, 2});
  const auto y = g.Transpose("nchw", g.Relu("relu2", inside), {0, 2, 1, 3});
  g.Output(g.Reshape("y", y, {-1}));
  const auto part = g.Transpose("part", g.Relu("relu3", x), {0, 3, 1, 2});
  schema::ConcatOptionsT channels;
  channels.axis = 1;
  g.Output(g.Node("z", channels, {part, g.Input("w", {1, 2, 4, 5})}));
  Summary summary;
  CountOperators(g.graph, &summary);
  EXPECT_THAT(SummaryText(summary), HasSubstr("1 transposes inside, 3 at inputs and outputs"));
}

TEST(SummaryText, SaysWhichFiguresDependOnDynamicShapes) {
  Summary summary;
  summary.is_dynamic = true;
  EXPECT_THAT(SummaryText(summary), HasSubstr("depends on the inputs' sizes and values"));
  summary.is_measured = true;
  EXPECT_THAT(SummaryText(summary), HasSubstr("dynamic dimensions at 1"));
}

TEST(SummaryText, ListsLayersThatComputeInFloatByReason) {
  Summary summary;
  summary.quant = QuantMode::kInt8;
  summary.quantization = {
      5, 2, {{"a", "Conv2D", "too small"}, {"b", "MatMul", "too long"}, {"c", "Conv2D", "too small"}}};
  EXPECT_THAT(SummaryText(summary), AllOf(HasSubstr("2 of 5 layers; the others have another type:\n"),
                                          HasSubstr("  2 too small: Conv2D 'a' Conv2D 'c'\n"),
                                          HasSubstr("  1 too long: MatMul 'b'\n")));
}

TEST(UnsupportedText, CountsAndNamesNodes) {
  EXPECT_EQ(
      UnsupportedText({{"Blur", 13, "unknown operator", {"n1", "n2"}}, {"If", 11, "no subgraphs", {"n3"}}}),
      "  Blur (opset 13), 2 nodes: unknown operator: 'n1' 'n2'\n"
      "  If (opset 11), 1 node: no subgraphs: 'n3'\n");
}

TEST(ComparisonTable, HasATitleAndALineATensor) {
  ComparedTensor tensor;
  tensor.name = "scores";
  const float reference[] = {10, 0}, found[] = {10, 1};
  tensor.similarity.Add(reference, found, 2);
  EXPECT_THAT(
      ComparisonTable({tensor}, "verified on 3 samples"),
      AllOf(HasSubstr("verified on 3 samples"), HasSubstr("20.00  0.995037              1  scores\n")));
}

}  // namespace
}  // namespace micrort::report
