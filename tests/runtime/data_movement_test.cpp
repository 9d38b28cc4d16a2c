// Transpose, Reshape, Concat, Slice, Gather, Shape, Expand, Tile.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using testing::OpTester;

std::vector<float> Iota(size_t n) {
  std::vector<float> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<float>(i);
  return v;
}

schema::TransposeOptionsT Permutation(std::vector<int32_t> permutation) {
  schema::TransposeOptionsT options;
  options.permutation = std::move(permutation);
  return options;
}

TEST(Transpose, ReversesAMatrix) {
  OpTester op(ops::Transpose(), Permutation({1, 0}));
  op.Input<float>(Shape::Of(2, 3), Iota(6));
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(3, 2), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_EQ(-1, op.result().in_place[0]);
}

TEST(Transpose, MayWorkInPlaceWhereOnlyOnesMove) {
  OpTester op(ops::Transpose(), Permutation({0, 2, 3, 1}));
  op.Input<float>(Shape::Of(1, 1, 2, 3), Iota(6));
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(1, 2, 3, 1), op.OutputShape());
  EXPECT_EQ(op.Output<float>(), Iota(6));
  EXPECT_EQ(0, op.result().in_place[0]);
}

TEST(Transpose, RejectsWhatIsNoPermutation) {
  for (const auto& permutation : std::vector<std::vector<int32_t>>{
           {0, 0}, {0, 2}, {-1, 0}, {0}, {0, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8}}) {
    OpTester op(ops::Transpose(), Permutation(permutation));
    op.Input<float>(Shape::Of(2, 3), Iota(6));
    EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
  }
}

TEST(Transpose, RejectsAnotherQuantizationOfTheOutput) {
  OpTester op(ops::Transpose(), Permutation({0}));
  op.Input<int8_t>(Shape::Of(1), {3}).Quantized(0.5f, 1).OutputQuantized(0.25f, 1);
  EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
}

TEST(Transpose, EmptyTensor) {
  OpTester op(ops::Transpose(), Permutation({1, 0}));
  op.Input<float>(Shape::Of(0, 3), {});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(3, 0), op.OutputShape());
}

schema::ReshapeOptionsT Target(std::vector<int32_t> shape) {
  schema::ReshapeOptionsT options;
  options.shape = std::move(shape);
  return options;
}

TEST(Reshape, TakesTheShapeOfItsOptions) {
  // Literal 3, a copy of dimension 0, the rest inferred.
  OpTester op(ops::Reshape(), Target({3, -2, -1}));
  op.Input<float>(Shape::Of(2, 6), Iota(12));
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(3, 2, 2), op.OutputShape());
  EXPECT_EQ(op.Output<float>(), Iota(12));
  EXPECT_EQ(0, op.result().in_place[0]);
}

TEST(Reshape, InfersADimensionBesideACopyOf0) {
  OpTester op(ops::Reshape(), Target({-2, 3, -1}));
  op.Input<float>(Shape::Of(0, 6, 4), {});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(0, 3, 8), op.OutputShape());
}

TEST(Reshape, InfersNoDimensionBesideA0OfItsOwn) {
  for (const auto& shape : std::vector<std::vector<int32_t>>{{0, -1}, {-2, -2, -1}, {-3, 0, -1}}) {
    OpTester op(ops::Reshape(), Target(shape));
    op.Input<float>(Shape::Of(0, 6), {});
    EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code()) << shape[0];
  }
}

TEST(Reshape, TakesTheShapeOfItsSecondInput) {
  OpTester op(ops::Reshape(), Target({}));
  op.Input<float>(Shape::Of(2, 6), Iota(12)).Known({0, -1, 3});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(2, 2, 3), op.OutputShape());
}

TEST(Reshape, ZeroIsLiteralIfAllowed) {
  schema::ReshapeOptionsT options;
  options.allow_zero = true;
  OpTester op(ops::Reshape(), options);
  op.Input<float>(Shape::Of(2, 0), {}).Known({0, 5});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(0, 5), op.OutputShape());
}

TEST(Reshape, WithoutTargetMakesAScalar) {
  OpTester op(ops::Reshape(), Target({}));
  op.Input<float>(Shape::Of(1, 1), {7});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape(), op.OutputShape());
}

TEST(Reshape, RejectsShapesThatDoNotFit) {
  for (const auto& shape : std::vector<std::vector<int32_t>>{
           {5}, {-1, -1}, {5, -1}, {0, -1}, {-4, 2}, {INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX, -1}}) {
    OpTester op(ops::Reshape(), Target(shape));
    op.Input<float>(Shape::Of(2, 6), Iota(12));
    EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code()) << shape[0];
  }
}

TEST(Reshape, NeedsAKnownShape) {
  OpTester op(ops::Reshape(), Target({}));
  op.Input<float>(Shape::Of(2), Iota(2)).Input<int64_t>(Shape::Of(1), {2});
  EXPECT_EQ(StatusCode::kUnsupported, op.Run().code());
}

schema::ConcatOptionsT Along(int axis) {
  schema::ConcatOptionsT options;
  options.axis = axis;
  return options;
}

TEST(Concat, JoinsAlongAnInnerAxis) {
  OpTester op(ops::Concat(), Along(-1));
  op.Input<int32_t>(Shape::Of(2, 2), {1, 2, 3, 4}).Input<int32_t>(Shape::Of(2, 0), {});
  op.Input<int32_t>(Shape::Of(2, 1), {5, 6});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(2, 3), op.OutputShape());
  EXPECT_THAT(op.Output<int32_t>(), ElementsAre(1, 2, 5, 3, 4, 6));
}

TEST(Concat, RequantizesInt8) {
  OpTester op(ops::Concat(), Along(0));
  op.Input<int8_t>(Shape::Of(3), {-128, 0, 127}).Quantized(0.5f, 0);
  op.Input<int8_t>(Shape::Of(5), {10, 11, 12, 13, 127}).Quantized(0.25f, 10);
  op.OutputQuantized(0.5f, 0);
  ASSERT_TRUE(op.Run().ok());
  // 0.5 and 1.5 round to even.
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(-128, 0, 127, 0, 0, 1, 2, 58));
}

TEST(Concat, RejectsOtherShapesAndTypes) {
  OpTester shapes(ops::Concat(), Along(0));
  shapes.Input<float>(Shape::Of(1, 2), Iota(2)).Input<float>(Shape::Of(1, 3), Iota(3));
  EXPECT_THAT(shapes.Run().message(), HasSubstr("input 1: expected float32 of shape 1x2"));
  OpTester types(ops::Concat(), Along(0));
  types.Input<float>(Shape::Of(1), {1}).Input<int32_t>(Shape::Of(1), {1});
  EXPECT_EQ(StatusCode::kInvalidModel, types.Run().code());
  OpTester axis(ops::Concat(), Along(1));
  axis.Input<float>(Shape::Of(1), {1});
  EXPECT_EQ(StatusCode::kInvalidModel, axis.Run().code());
  OpTester none(ops::Concat(), Along(0));
  EXPECT_EQ(StatusCode::kInvalidModel, none.Run().code());
}

schema::SliceOptionsT Ranges(std::vector<int64_t> starts, std::vector<int64_t> ends,
                             std::vector<int32_t> axes = {}, std::vector<int64_t> steps = {}) {
  schema::SliceOptionsT options;
  options.starts = std::move(starts);
  options.ends = std::move(ends);
  options.axes = std::move(axes);
  options.steps = std::move(steps);
  return options;
}

TEST(Slice, FollowsPython) {
  constexpr int64_t kFar = std::numeric_limits<int64_t>::max();
  constexpr int64_t kNear = std::numeric_limits<int64_t>::min();
  struct Case {
    int64_t start, end, step;
    std::vector<float> expected;
  };
  const Case cases[] = {
      {1, 4, 1, {1, 2, 3}},
      {-2, kFar, 1, {3, 4}},
      {0, 5, 2, {0, 2, 4}},
      {4, kNear, -1, {4, 3, 2, 1, 0}},
      {kFar, kNear, -2, {4, 2, 0}},
      {3, 1, 1, {}},
      {-1, -4, -1, {4, 3, 2}},
      {0, kFar, kFar, {0}},
      {-1, kNear, kNear, {4}},
      {kNear, kFar, 3, {0, 3}},
      {2, 2, -1, {}},
  };
  for (const Case& c : cases) {
    OpTester op(ops::Slice(), Ranges({c.start}, {c.end}, {0}, {c.step}));
    op.Input<float>(Shape::Of(5), Iota(5));
    ASSERT_TRUE(op.Run().ok());
    EXPECT_THAT(op.Output<float>(), ElementsAreArray(c.expected)) << c.start << ":" << c.end << ":" << c.step;
  }
}

TEST(Slice, SeveralAxesFromInputs) {
  OpTester op(ops::Slice(), Ranges({}, {}));
  op.Input<float>(Shape::Of(2, 3, 4), Iota(24)).Known({1, -1}).Known({3, -5}).Known({1, -1}).Known({1, -2});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(2, 2, 2), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), ElementsAre(7, 5, 11, 9, 19, 17, 23, 21));
}

TEST(Slice, WholeTensorMayStayInPlace) {
  OpTester op(ops::Slice(), Ranges({0}, {9}, {1}));
  op.Input<float>(Shape::Of(2, 3), Iota(6));
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(0, op.result().in_place[0]);
}

TEST(Slice, RejectsNonsense) {
  for (const auto& options :
       {Ranges({0}, {1}, {0}, {0}), Ranges({0}, {1}, {2}), Ranges({0, 0}, {1, 1}, {1, -1}),
        Ranges({0, 0}, {1}), Ranges({0}, {1}, {0, 1}), Ranges({0, 0, 0}, {1, 1, 1})}) {
    OpTester op(ops::Slice(), options);
    op.Input<float>(Shape::Of(2, 3), Iota(6));
    EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
  }
}

schema::GatherOptionsT GatherAlong(int axis) {
  schema::GatherOptionsT options;
  options.axis = axis;
  return options;
}

TEST(Gather, PicksAlongAnAxis) {
  OpTester op(ops::Gather(), GatherAlong(1));
  op.Input<float>(Shape::Of(2, 3, 2), Iota(12)).Input<int64_t>(Shape::Of(2, 1), {-1, 0});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(2, 2, 1, 2), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), ElementsAre(4, 5, 0, 1, 10, 11, 6, 7));
}

TEST(Gather, ScalarIndexRemovesTheAxis) {
  OpTester op(ops::Gather(), GatherAlong(0));
  op.Input<float>(Shape::Of(3), Iota(3)).Input<int32_t>(Shape(), {2});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape(), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), ElementsAre(2));
}

TEST(Gather, ChecksIndicesAsItRuns) {
  for (const int64_t index : {int64_t{3}, int64_t{-4}, std::numeric_limits<int64_t>::min()}) {
    OpTester op(ops::Gather(), GatherAlong(0));
    op.Input<float>(Shape::Of(3), Iota(3)).Input<int64_t>(Shape::Of(2), {0, index});
    const Status status = op.Run();
    EXPECT_EQ(StatusCode::kOutOfRange, status.code());
    EXPECT_THAT(status.message(), HasSubstr(std::to_string(index)));
    EXPECT_THAT(status.message(), HasSubstr("axis 0"));
  }
}

TEST(Gather, EmptyAxisHasNoValidIndex) {
  OpTester op(ops::Gather(), GatherAlong(0));
  op.Input<float>(Shape::Of(0, 2), {}).Input<int64_t>(Shape::Of(1), {0});
  EXPECT_EQ(StatusCode::kOutOfRange, op.Run().code());
}

TEST(ShapeOp, NeedsNoData) {
  schema::ShapeOptionsT options;
  options.start = -2;
  OpTester op(ops::Shape(), options);
  op.Input<float>(Shape::Of(2, 3, 4), Iota(24));
  ASSERT_TRUE(op.Run().ok());
  EXPECT_TRUE(ops::Shape().shape_only);
  EXPECT_THAT(op.Output<int64_t>(), ElementsAre(3, 4));
}

TEST(ShapeOp, CrossedBoundsGiveNothing) {
  schema::ShapeOptionsT options;
  options.start = 2;
  options.end = 1;
  OpTester op(ops::Shape(), options);
  op.Input<float>(Shape::Of(2, 3, 4), Iota(24));
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(0), op.OutputShape());
}

TEST(Expand, BroadcastsBothWays) {
  OpTester op(ops::Expand(), schema::ExpandOptionsT());
  op.Input<float>(Shape::Of(2, 1), Iota(2)).Known({3, 1, 2});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(3, 2, 2), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1));
}

TEST(Expand, ShapeOfItsOptionsMayCopyDimensions) {
  schema::ExpandOptionsT options;
  options.shape = {2, -2};
  OpTester op(ops::Expand(), options);
  op.Input<float>(Shape::Of(3), Iota(3));
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(0, 1, 2, 0, 1, 2));
}

TEST(Expand, RejectsWhatDoesNotBroadcast) {
  for (const auto& target : std::vector<std::vector<int64_t>>{{3}, {-1}, {INT64_MAX, INT64_MAX, 2}}) {
    OpTester op(ops::Expand(), schema::ExpandOptionsT());
    op.Input<float>(Shape::Of(2), Iota(2)).Known(target);
    EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
  }
}

schema::TileOptionsT Repeats(std::vector<int32_t> repeats) {
  schema::TileOptionsT options;
  options.repeats = std::move(repeats);
  return options;
}

TEST(Tile, RepeatsEveryDimension) {
  OpTester op(ops::Tile(), Repeats({2, 2}));
  op.Input<float>(Shape::Of(1, 2), Iota(2));
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(2, 4), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), ElementsAre(0, 1, 0, 1, 0, 1, 0, 1));
}

TEST(Tile, ZeroRepeatsAndWrongCounts) {
  OpTester empty(ops::Tile(), Repeats({0, 2}));
  empty.Input<float>(Shape::Of(1, 2), Iota(2));
  ASSERT_TRUE(empty.Run().ok());
  EXPECT_EQ(Shape::Of(0, 4), empty.OutputShape());
  for (const auto& repeats : std::vector<std::vector<int32_t>>{{2}, {-1, 1}, {INT32_MAX, INT32_MAX}}) {
    OpTester op(ops::Tile(), Repeats(repeats));
    op.Input<float>(Shape::Of(1 << 10, 1), Iota(1 << 10));
    EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
  }
}

}  // namespace
}  // namespace micrort
