// Resize and Upsample: what of a node becomes options, and what stays an input.

#include <gmock/gmock.h>

#include "tests/converter/run_onnx.h"

namespace micrort {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::Floats;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::OnnxBuilder;
using testing::RunOnnx;
using testing::TextOf;

TEST(OnnxResize, ConstantTargetsAreOptionsInTheOrderOfTheLayout) {
  OnnxBuilder scales(13);
  scales.Input("x", {"1", "2", "4", "4"})
      .Floats("s", {4}, {1, 1, 2, 3})
      .Node("Resize", {"x", "", "s"}, {"y"});
  EXPECT_THAT(TextOf(scales),
              AllOf(HasSubstr("scales: [ 1.0, 2.0, 3.0, 1.0 ]"), HasSubstr("y float32[1,2,8,12]")));
  OnnxBuilder sizes(13);
  sizes.Input("x", {"1", "2", "4", "4"}).Integers("s", {4}, {1, 2, 5, 6});
  sizes.Node("Resize", {"x", "", "", "s"}, {"y"});
  EXPECT_THAT(TextOf(sizes), HasSubstr("sizes: [ 1, 5, 6, 2 ]"));
  OnnxBuilder upsample(7);
  upsample.Input("x", {"1", "2"}).Node("Upsample", {"x"}, {"y"});
  auto* list = upsample.graph().mutable_node(0)->add_attribute();
  list->set_name("scales");
  list->set_type(::onnx::AttributeProto::FLOATS);
  list->add_floats(1);
  list->add_floats(2);
  EXPECT_THAT(TextOf(upsample), HasSubstr("coordinates: Asymmetric, nearest: Floor, scales: [ 1.0, 2.0 ]"));
}

// Opset 10 takes the pixel before where an axis grows, and the one behind where it shrinks.
TEST(OnnxResize, Opset10RoundsByTheScale) {
  const auto resize = [](std::vector<float> scales) {
    OnnxBuilder builder(10);
    builder.Input("x", {"2", "4"}).Floats("s", {2}, std::move(scales)).Node("Resize", {"x", "s"}, {"y"});
    return RunOnnx(builder.Output("y"), {{"x", {1, 2, 3, 4, 5, 6, 7, 8}}})["y"];
  };
  EXPECT_THAT(resize({1, 1.5f}), ElementsAre(1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8));
  EXPECT_THAT(resize({0.6f, 0.6f}), ElementsAre(1, 3));
  EXPECT_THAT(resize({2, 0.6f}), ElementsAre(1, 3, 1, 3, 5, 7, 5, 7));
  EXPECT_THAT(resize({1, 1}), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(OnnxResize, ScalesOfOpset10MayBeComputed) {
  OnnxBuilder builder(10);
  builder.Input("x", {"2", "2"}).Input("s", {"2"}).Node("Resize", {"x", "s"}, {"y"});
  EXPECT_THAT(RunOnnx(builder.Output("y"), {{"x", {1, 2, 3, 4}}, {"s", {2, 0.5f}}})["y"],
              ElementsAre(1, 1, 3, 3));
}

TEST(OnnxResize, SizesThatFollowFromDynamicShapesStayInputs) {
  OnnxBuilder builder(13);
  builder.Input("x", {"1", "2", "h", "w"}).Input("like", {"1", "2", "H", "W"});
  builder.Node("Shape", {"like"}, {"s"}).Node("Resize", {"x", "", "", "s"}, {"y"});
  const std::string text = TextOf(builder);
  EXPECT_THAT(text, HasSubstr("y float32[1,2,H,W]"));
  EXPECT_THAT(text, Not(HasSubstr("sizes: [")));
}

TEST(OnnxResize, AxesLeaveOtherDimensionsAlone) {
  OnnxBuilder builder(18);
  builder.Input("x", {"N", "2", "4", "4"}).Floats("s", {1}, {0.5f}).Node("Resize", {"x", "", "s"}, {"y"});
  EXPECT_THAT(TextOf(builder.Ints("axes", {-1})), HasSubstr("y float32[N,2,4,2]"));
}

TEST(OnnxResize, KeepsTheAspectRatio) {
  const auto import = [](const char* policy) {
    OnnxBuilder builder(18);
    builder.Input("x", {"1", "1", "4", "2"})
        .Integers("s", {2}, {8, 6})
        .Node("Resize", {"x", "", "", "s"}, {"y"});
    return TextOf(builder.Ints("axes", {2, 3}).String("keep_aspect_ratio_policy", policy));
  };
  EXPECT_THAT(import("not_larger"), HasSubstr("y float32[1,1,8,4]"));
  EXPECT_THAT(import("not_smaller"), HasSubstr("y float32[1,1,12,6]"));
  EXPECT_THAT(import("whatever"), HasSubstr("keep_aspect_ratio_policy 'whatever'"));
}

TEST(OnnxResize, CropsARegionAndFillsWhatIsOutside) {
  OnnxBuilder builder(13);
  builder.Input("x", {"4"}).Floats("roi", {2}, {0, 2}).Integers("s", {1}, {3});
  builder.Node("Resize", {"x", "roi", "", "s"}, {"y"})
      .String("mode", "linear")
      .Float("extrapolation_value", 9);
  builder.String("coordinate_transformation_mode", "tf_crop_and_resize");
  EXPECT_THAT(RunOnnx(builder.Output("y"), {{"x", {1, 2, 3, 4}}})["y"], ElementsAre(1, 4, 9));
}

TEST(OnnxResize, AntialiasingAveragesOverTheScale) {
  OnnxBuilder builder(18);
  builder.Input("x", {"4"}).Floats("s", {1}, {0.5f}).Node("Resize", {"x", "", "s"}, {"y"});
  builder.String("mode", "linear").Int("antialias", 1).Int("exclude_outside", 1);
  // Weights 1/8, 3/8, 3/8, 1/8 around 0.5 and 2.5; the one outside is left out.
  EXPECT_THAT(RunOnnx(builder.Output("y"), {{"x", {7, 14, 21, 28}}})["y"], ElementsAre(12, 23));
}

TEST(OnnxResize, ChecksItsTarget) {
  const auto import = [](const std::vector<float>& scales) {
    OnnxBuilder builder(18);
    builder.Input("x", {"4", "4"}).Floats("s", {static_cast<int64_t>(scales.size())}, scales);
    return TextOf(builder.Node("Resize", {"x", "", "s"}, {"y"}));
  };
  EXPECT_THAT(import({}), HasSubstr("neither scales nor sizes"));
  EXPECT_THAT(import({2}), HasSubstr("scales: expected 2 entries"));
  EXPECT_THAT(import({2, -1}), HasSubstr("scale 1 is -1"));
}

}  // namespace
}  // namespace micrort
