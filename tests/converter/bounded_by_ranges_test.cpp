// Sizes that data decide, of which the model itself says that they are small: memory is planned for these.

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/converter/converted.h"

namespace micrort::testing::bounded_by_ranges {
namespace {

constexpr int64_t kElements = 4000;

// "some" are the positive elements of x, [n], and "k" is min(3, n), or n.
OnnxBuilder Candidates(bool is_limited) {
  OnnxBuilder b;
  b.Input("x", {std::to_string(kElements)}).Floats("zero", {}, {0}).Integers("all", {1}, {-1});
  b.Node("Greater", {"x", "zero"}, {"is_positive"}).Node("NonZero", {"is_positive"}, {"at"});
  b.Node("Reshape", {"at", "all"}, {"places"}).Node("Gather", {"x", "places"}, {"some"});
  b.Node("Shape", {"some"}, {"n"}).Integers("three", {1}, {3});
  return b.Node(is_limited ? "Min" : "Max", {"n", is_limited ? "three" : "n"}, {"k"});
}

// "y" are "chosen" by way of a row of each.
OnnxBuilder RowsOf(OnnxBuilder b) {
  b.Integers("column", {2}, {-1, 1}).Floats("row", {1, 8}, std::vector<float>(8, 1));
  b.Node("Reshape", {"chosen", "column"}, {"each"}).Node("Mul", {"each", "row"}, {"rows"});
  return b.Node("ReduceMax", {"rows"}, {"y"}).Ints("axes", {1}).Int("keepdims", 0);
}

OnnxBuilder LargestOf(bool is_limited) {
  return RowsOf(Candidates(is_limited).Node("TopK", {"some", "k"}, {"chosen", "index"}));
}

OnnxBuilder FirstOf(bool is_limited) {
  OnnxBuilder b = Candidates(is_limited).Integers("from", {1}, {0});
  return RowsOf(b.Node("Slice", {"some", "from", "k"}, {"chosen"}));
}

io::NamedArray WithPositive(const std::vector<float>& elements) {
  std::vector<float> all(kElements, -1);
  std::copy(elements.begin(), elements.end(), all.begin() + 7);
  return Array<float>({kElements}, all);
}

class BoundedByRanges : public ::testing::TestWithParam<OnnxBuilder (*)(bool)> {};

TEST_P(BoundedByRanges, ArenasAreThoseOfTheBound) {
  OnnxBuilder limited = GetParam()(true), all = GetParam()(false);
  Converted converted(limited), unlimited(all);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  ASSERT_TRUE(unlimited.status().ok()) << unlimited.status().message();
  EXPECT_LE(converted.result().summary.arena_bytes + kElements * 4, unlimited.result().summary.arena_bytes);
}

TEST_P(BoundedByRanges, RunsGiveWhatThereIs) {
  OnnxBuilder b = GetParam()(true);
  Converted converted(b);
  EXPECT_EQ(converted.Run({WithPositive({9, 8, 7, 6, 5})}), "3: 9 8 7");
  EXPECT_EQ(converted.Run({WithPositive({5, 4})}), "2: 5 4");
  EXPECT_EQ(converted.Run({WithPositive({})}), "0:");
}

INSTANTIATE_TEST_SUITE_P(Operators, BoundedByRanges, ::testing::Values(LargestOf, FirstOf),
                         [](const auto& info) { return info.index == 0 ? "TopK" : "Slice"; });

}  // namespace
}  // namespace micrort::testing::bounded_by_ranges
