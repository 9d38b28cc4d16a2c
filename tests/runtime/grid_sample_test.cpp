#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using schema::GridCoordinates;
using schema::GridPadding;
using schema::ResizeMode;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::OpTester;
using ::testing::Pointwise;

schema::GridSampleOptionsT Options(ResizeMode mode, GridPadding padding, GridCoordinates coordinates) {
  schema::GridSampleOptionsT o;
  o.mode = mode;
  o.padding = padding;
  o.coordinates = coordinates;
  return o;
}

// A line of four elements, sampled at these coordinates.
std::vector<float> SampleLine(const schema::GridSampleOptionsT& options, const std::vector<float>& at) {
  OpTester op(ops::GridSample(), options);
  op.Input<float>(Shape::Of(1, 4, 1), {1, 2, 4, 8}).Input<float>(Shape::Of(1, at.size(), 1), at);
  EXPECT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(1, at.size(), 1), op.OutputShape());
  return op.Output<float>();
}

TEST(GridSampleOp, CoordinatesMayCountElementsOrBordersOrCentres) {
  const auto linear = [](GridCoordinates c) { return Options(ResizeMode::Linear, GridPadding::Border, c); };
  EXPECT_THAT(SampleLine(linear(GridCoordinates::Elements), {0, 0.5f, 3}), ElementsAre(1, 1.5f, 8));
  EXPECT_THAT(SampleLine(linear(GridCoordinates::AlignCorners), {-1, 0, 1}), ElementsAre(1, 3, 8));
  EXPECT_THAT(SampleLine(linear(GridCoordinates::HalfPixel), {-1, -0.5f, 1}), ElementsAre(1, 1.5f, 8));
}

TEST(GridSampleOp, PadsWithZerosTheBorderOrReflections) {
  const auto linear = [](GridPadding p) { return Options(ResizeMode::Linear, p, GridCoordinates::Elements); };
  EXPECT_THAT(SampleLine(linear(GridPadding::Zeros), {-0.5f, -2, 3.25f}), ElementsAre(0.5f, 0, 6));
  EXPECT_THAT(SampleLine(linear(GridPadding::Border), {-0.5f, -2, 3.25f}), ElementsAre(1, 1, 8));
  // Elements reflect at the borders of pixels: -1 is 0, -2 is 1, 4 is 3, 5 is 2,
  // 11 is 3.
  EXPECT_THAT(SampleLine(linear(GridPadding::Reflection), {-1, -2, 4, 5, 11}), ElementsAre(1, 2, 8, 4, 8));
}

TEST(GridSampleOp, NearestRoundsHalvesToEven) {
  const auto nearest = Options(ResizeMode::Nearest, GridPadding::Zeros, GridCoordinates::Elements);
  EXPECT_THAT(SampleLine(nearest, {0.5f, 1.5f, 2.4f, -0.6f}), ElementsAre(1, 4, 4, 0));
}

TEST(GridSampleOp, CubicGoesThroughTheElements) {
  const auto cubic = Options(ResizeMode::Cubic, GridPadding::Border, GridCoordinates::Elements);
  EXPECT_THAT(SampleLine(cubic, {1, 1.5f}), Pointwise(FloatNear(1e-6f), {2.0f, 2.71875f}));
}

TEST(GridSampleOp, TheInnermostDimensionComesFirst) {
  OpTester op(ops::GridSample(), Options(ResizeMode::Linear, GridPadding::Zeros, GridCoordinates::Elements));
  op.Input<float>(Shape::Of(1, 2, 3, 2), {0, 10, 1, 11, 2, 12, 3, 13, 4, 14, 5, 15});
  op.Input<float>(Shape::Of(1, 1, 2, 2), {2, 0, 0.5f, 1});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(1, 1, 2, 2), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), ElementsAre(2, 12, 3.5f, 13.5f));
}

TEST(GridSampleOp, VolumesAndCoordinatesThatAreNoNumbers) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (GridPadding padding : {GridPadding::Zeros, GridPadding::Border, GridPadding::Reflection}) {
    OpTester op(ops::GridSample(), Options(ResizeMode::Linear, padding, GridCoordinates::AlignCorners));
    op.Input<float>(Shape::Of(1, 2, 2, 2, 1), {0, 1, 2, 3, 4, 5, 6, 7});
    op.Input<float>(Shape::Of(1, 4, 3), {0, 0, 0, kNan, 0, 0, 0, kInfinity, 0, 1e30f, -1e30f, 1});
    ASSERT_TRUE(op.Run().ok());
    EXPECT_EQ(3.5f, op.Output<float>()[0]);
  }
}

TEST(GridSampleOp, ChecksShapesAndTypes) {
  const auto options = Options(ResizeMode::Linear, GridPadding::Zeros, GridCoordinates::Elements);
  const auto run = [&](const Shape& x, const Shape& grid) {
    OpTester op(ops::GridSample(), options);
    op.Input<float>(x, std::vector<float>(x.elements()))
        .Input<float>(grid, std::vector<float>(grid.elements()));
    return op.Run().code();
  };
  EXPECT_EQ(StatusCode::kOk, run(Shape::Of(2, 3, 3, 1), Shape::Of(2, 0, 2)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(Shape::Of(2, 3, 3, 1), Shape::Of(1, 1, 2)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(Shape::Of(2, 3, 3, 1), Shape::Of(2, 1, 3)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(Shape::Of(2, 0, 3, 1), Shape::Of(2, 1, 2)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(Shape::Of(2, 1), Shape::Of(2, 1)));
  OpTester integers(ops::GridSample(), options);
  integers.Input<int8_t>(Shape::Of(1, 1, 1), {1}).Input<float>(Shape::Of(1, 1, 1), {0});
  EXPECT_EQ(StatusCode::kUnsupported, integers.Run().code());
  OpTester mode(ops::GridSample(),
                Options(static_cast<ResizeMode>(5), GridPadding::Zeros, GridCoordinates::Elements));
  mode.Input<float>(Shape::Of(1, 1, 1), {1}).Input<float>(Shape::Of(1, 1, 1), {0});
  EXPECT_EQ(StatusCode::kInvalidModel, mode.Run().code());
}

}  // namespace
}  // namespace micrort
