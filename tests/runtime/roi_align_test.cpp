#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::OpTester;

schema::RoiAlignOptionsT Options(int size, int sampling_ratio, bool half_pixel) {
  schema::RoiAlignOptionsT o;
  o.output_h = o.output_w = size;
  o.sampling_ratio = sampling_ratio;
  o.half_pixel = half_pixel;
  return o;
}

// Pixel (y, x) of image n is 100 n + 10 y + x.
std::vector<float> Ramp(int64_t images) {
  std::vector<float> pixels;
  for (int64_t n = 0; n < images; ++n) {
    for (int64_t y = 0; y < 4; ++y) {
      for (int64_t x = 0; x < 4; ++x) pixels.push_back(static_cast<float>(100 * n + 10 * y + x));
    }
  }
  return pixels;
}

TEST(RoiAlignOp, MeansOfALinearImageAreValuesAtCentres) {
  OpTester op(ops::RoiAlign(), Options(2, 2, true));
  op.Input<float>(Shape::Of(2, 4, 4, 1), Ramp(2));
  // From pixel border 1 to 3: cells centred at pixels 1 and 2.
  op.Input<float>(Shape::Of(1, 4), {1, 1, 3, 3}).Input<int64_t>(Shape::Of(1), {1});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(1, 2, 2, 1), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), ElementsAre(111, 112, 121, 122));
}

TEST(RoiAlignOp, WithoutHalfPixelRegionsAreAtLeastOnePixel) {
  OpTester op(ops::RoiAlign(), Options(1, 1, false));
  op.Input<float>(Shape::Of(1, 4, 4, 1), Ramp(1));
  op.Input<float>(Shape::Of(1, 4), {1, 1, 1, 1}).Input<int32_t>(Shape::Of(1), {0});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(16.5f));
}

TEST(RoiAlignOp, TheLargestOfWeightedPixels) {
  auto options = Options(1, 2, true);
  options.pooling = schema::RoiPooling::Max;
  OpTester op(ops::RoiAlign(), options);
  op.Input<float>(Shape::Of(1, 4, 4, 1), Ramp(1));
  op.Input<float>(Shape::Of(1, 4), {0.5f, 0.5f, 2.5f, 2.5f}).Input<int64_t>(Shape::Of(1), {0});
  ASSERT_TRUE(op.Run().ok());
  // Samples at 0.5 and 1.5: each pixel weighs a quarter.
  EXPECT_THAT(op.Output<float>(), ElementsAre(22.0f / 4));
}

TEST(RoiAlignOp, AdaptsTheNumberOfSamples) {
  OpTester op(ops::RoiAlign(), Options(1, 0, true));
  op.Input<float>(Shape::Of(1, 4, 4, 1), Ramp(1));
  op.Input<float>(Shape::Of(2, 4), {0, 0, 4, 4, 2, 2, 1, 1}).Input<int64_t>(Shape::Of(2), {0, 0});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(16.5f, 0));
}

TEST(RoiAlignOp, OutsideIsZero) {
  OpTester op(ops::RoiAlign(), Options(2, 1, true));
  op.Input<float>(Shape::Of(1, 4, 4, 1), Ramp(1));
  op.Input<float>(Shape::Of(1, 4), {100, 100, 200, 200}).Input<int64_t>(Shape::Of(1), {0});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), Each(0.0f));
}

TEST(RoiAlignOp, ChecksDataAsItIsRead) {
  const auto run = [](std::vector<float> roi, int64_t image) {
    OpTester op(ops::RoiAlign(), Options(1, 0, true));
    op.Input<float>(Shape::Of(1, 4, 4, 1), Ramp(1)).Input<float>(Shape::Of(1, 4), roi);
    return op.Input<int64_t>(Shape::Of(1), {image}).Run().code();
  };
  EXPECT_EQ(StatusCode::kOk, run({0, 0, 1, 1}, 0));
  EXPECT_EQ(StatusCode::kOutOfRange, run({0, 0, 1, 1}, 1));
  EXPECT_EQ(StatusCode::kOutOfRange, run({0, 0, 1, 1}, -1));
  EXPECT_EQ(StatusCode::kOutOfRange, run({0, 0, 1e9f, 1}, 0));
  EXPECT_EQ(StatusCode::kOutOfRange, run({0, 0, std::numeric_limits<float>::quiet_NaN(), 1}, 0));
}

TEST(RoiAlignOp, ChecksShapesAndOptions) {
  const auto run = [](const schema::RoiAlignOptionsT& options, const Shape& x, const Shape& rois,
                      const Shape& images) {
    OpTester op(ops::RoiAlign(), options);
    op.Input<float>(x, std::vector<float>(x.elements()))
        .Input<float>(rois, std::vector<float>(rois.elements()));
    return op.Input<int64_t>(images, std::vector<int64_t>(images.elements())).Run().code();
  };
  const auto good = Options(1, 1, true);
  EXPECT_EQ(StatusCode::kOk, run(good, Shape::Of(1, 2, 2, 1), Shape::Of(0, 4), Shape::Of(0)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(good, Shape::Of(1, 2, 2, 1), Shape::Of(1, 3), Shape::Of(1)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(good, Shape::Of(1, 2, 2, 1), Shape::Of(2, 4), Shape::Of(1)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(good, Shape::Of(1, 0, 2, 1), Shape::Of(1, 4), Shape::Of(1)));
  EXPECT_EQ(StatusCode::kInvalidModel,
            run(Options(0, 1, true), Shape::Of(1, 2, 2, 1), Shape::Of(1, 4), Shape::Of(1)));
  EXPECT_EQ(StatusCode::kInvalidModel,
            run(Options(1, -1, true), Shape::Of(1, 2, 2, 1), Shape::Of(1, 4), Shape::Of(1)));
}

}  // namespace
}  // namespace micrort
