// Sizes that data decide count in a run as large as they come to be, not as large as they may be.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"

namespace micrort {
namespace {

using testing::Array;
using testing::Converted;
using ::testing::HasSubstr;
using testing::OnnxBuilder;
using ::testing::StartsWith;

constexpr int64_t kMany =
    400'000;  // boxes, each of which may be compared with all: more work than a run may take

// Scores that are not zero, and the boxes that belong to them.
OnnxBuilder& Candidates(OnnxBuilder& b) {
  b.Input("x", {std::to_string(kMany)}).Integers("list", {1}, {-1}).Integers("row", {3}, {1, 1, -1});
  b.Node("NonZero", {"x"}, {"places"}).Node("Reshape", {"places", "list"}, {"which"});
  b.Node("Gather", {"x", "which"}, {"scores"}).Node("Reshape", {"scores", "row"}, {"scored"});
  b.Integers("column", {3}, {1, -1, 1}).Node("Reshape", {"scores", "column"}, {"corner"});
  return b.Node("Concat", {"corner", "corner", "corner", "corner"}, {"boxes"}).Int("axis", 2);
}

std::vector<float> Sparse(int64_t count) {
  std::vector<float> x(kMany, 0);
  for (int64_t i = 0; i < count; ++i) x[static_cast<size_t>(i * (kMany / count))] = static_cast<float>(i + 1);
  return x;
}

TEST(DataDecidedWork, OfBoxesIsThatOfThoseAtHand) {
  OnnxBuilder b;
  Candidates(b).Integers("most", {1}, {kMany});
  Converted model(b.Node("NonMaxSuppression", {"boxes", "scored", "most"}, {"y"}));
  EXPECT_THAT(model.Run({Array<float>({kMany}, Sparse(3))}), StartsWith("3x3: 0 0 2"));
  EXPECT_THAT(model.Run({Array<float>({kMany}, Sparse(kMany))}), HasSubstr("more operations than it may"));
}

TEST(DataDecidedWork, OfALoopIsThatOfItsTrips) {
  OnnxBuilder b;
  Candidates(b).Floats("zero", {}, {0}).Node("Shape", {"scores"}, {"counts"});
  b.Integers("scalar", {0}, {}).Node("Reshape", {"counts", "scalar"}, {"count"});
  OnnxBuilder body;
  body.graph().add_input()->set_name("i");
  body.graph().add_input()->set_name("go");
  body.graph().add_input()->set_name("sum");
  body.Node("Identity", {"go"}, {"on"}).Node("ReduceSum", {"scores"}, {"all"}).Int("keepdims", 0);
  body.Node("Add", {"sum", "all"}, {"more"});
  body.graph().add_output()->set_name("on");
  body.graph().add_output()->set_name("more");
  Converted model(b.Node("Loop", {"count", "", "zero"}, {"y"}).Graph("body", body));
  EXPECT_THAT(model.Run({Array<float>({kMany}, Sparse(3))}), StartsWith("scalar: 18"));
}

}  // namespace
}  // namespace micrort
