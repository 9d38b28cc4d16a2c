// --preprocess: the model normalizes pictures itself.

#include "converter/preprocess_inputs.h"

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/status_matchers.h"

namespace micrort::testing::preprocess_inputs {
namespace {

using ::testing::HasSubstr;

// y = Relu(x) of a picture with such a shape.
OnnxBuilder Picture(const std::vector<std::string>& shape) {
  return OnnxBuilder().Input("x", shape).Node("Relu", {"x"}, {"y"});
}

ConvertOptions Options(const io::Preprocess& preprocess) {
  ConvertOptions options;
  options.embeds_preprocess = true;
  options.preprocess = preprocess;
  return options;
}

io::Preprocess Normalization(std::vector<float> mean, std::vector<float> scale, io::Color color) {
  io::Preprocess preprocess;
  preprocess.mean = std::move(mean);
  preprocess.scale = std::move(scale);
  preprocess.color = color;
  return preprocess;
}

TEST(EmbeddedPreprocess, TakesPixelsAndComputesWhatTheLoaderWould) {
  OnnxBuilder builder = Picture({"1", "3", "1", "2"});
  Converted model(builder, {"y"}, Options(Normalization({10, 20, 30}, {0.5f, 1, 2}, io::Color::kRgb)));
  ASSERT_THAT(model.status(), IsOk());
  EXPECT_EQ(model.model().input(0).dtype, DType::kUInt8);
  EXPECT_STREQ(model.model().input(0).name, "x");
  EXPECT_EQ(model.Run({Array<uint8_t>({1, 3, 1, 2}, {10, 20, 30, 40, 50, 60})}), "1x3x1x2: 0 5 10 20 40 60");
}

TEST(EmbeddedPreprocess, ReversesColors) {
  OnnxBuilder builder = Picture({"1", "1", "2", "3"});
  // One channel in the first place wins over three in the last, as where pictures are loaded.
  Converted gray(builder, {"y"}, Options(Normalization({1}, {1}, io::Color::kRgb)));
  EXPECT_EQ(gray.Run({Array<uint8_t>({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6})}), "1x1x2x3: 0 1 2 3 4 5");
  OnnxBuilder nhwc = Picture({"1", "2", "2", "3"});
  Converted bgr(nhwc, {"y"}, Options(Normalization({0, 0, 1}, {1}, io::Color::kBgr)));
  EXPECT_EQ(bgr.Run({Array<uint8_t>({1, 2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})}),
            "1x2x2x3: 3 2 0 6 5 3 9 8 6 12 11 9");
}

TEST(EmbeddedPreprocess, NeedsAPicture) {
  OnnxBuilder builder = Picture({"1", "10"});
  Converted model(builder, {"y"}, Options(Normalization({1}, {1}, io::Color::kRgb)));
  EXPECT_THAT(model.status(),
              IsError(StatusCode::kInvalidArgument, HasSubstr("--preprocess: no input is a picture")));
  OnnxBuilder rgb = Picture({"1", "3", "2", "2"});
  Converted two(rgb, {"y"}, Options(Normalization({1, 2}, {1}, io::Color::kRgb)));
  EXPECT_THAT(two.status(), IsError(StatusCode::kInvalidArgument, HasSubstr("values for --mean, found 2")));
}

}  // namespace
}  // namespace micrort::testing::preprocess_inputs
