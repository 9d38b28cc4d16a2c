// Importers of operators on images.

#include <gmock/gmock.h>

#include "tests/converter/onnx_builder.h"

namespace micrort {
namespace {

using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;

TEST(OnnxConv, IsNhwcBetweenTransposes) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "4", "8", "8"}).Weights("w", {6, 2, 3, 3}).Weights("b", {6});
  builder.Node("Conv", {"x", "w", "b"}, {"y"})
      .Ints("strides", {2, 1})
      .Ints("pads", {1, 0, 1, 2})
      .Int("group", 2);
  EXPECT_EQ(Import(builder.Output("y")).text(),
            "input x float32[1,4,8,8]\n"
            "y/Transpose = Transpose(x) { permutation: [ 0, 2, 3, 1 ] }\n"
            "y/Conv2D = Conv2D(y/Transpose, y/Transpose_1, b) "
            "{ stride_h: 2, pad_top: 1, pad_bottom: 1, pad_right: 2, groups: 2 }\n"
            "y = Transpose(y/Conv2D) { permutation: [ 0, 3, 1, 2 ] }\n"
            "output y float32[1,6,4,8]\n");
}

TEST(OnnxConv, WeightsBecomeOutputHeightWidthInput) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "2", "4", "4"}).Floats("w", {1, 2, 1, 2}, {1, 2, 3, 4});
  auto imported = Import(builder.Node("Conv", {"x", "w"}, {"y"}).Output("y"));
  ASSERT_TRUE(imported.status.ok());
  const ir::Value& w = imported.graph().value(imported.graph().nodes[1]->inputs[1]);
  EXPECT_EQ(ir::PrintType(w), "float32[1,1,2,2]");
  EXPECT_THAT(std::vector<float>(w.as<float>(), w.as<float>() + 4), ::testing::ElementsAre(1, 3, 2, 4));
}

TEST(OnnxConv, OneChannelAGroupIsDepthwise) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "4", "8", "8"}).Weights("w", {8, 1, 3, 3});
  builder.Node("Conv", {"x", "w"}, {"y"}).Int("group", 4).Ints("dilations", {2, 2}).Output("y");
  auto imported = Import(builder);
  EXPECT_THAT(imported.text(), HasSubstr("DepthwiseConv2D(y/Transpose, y/Transpose_1) "
                                         "{ dilation_h: 2, dilation_w: 2 }"));
  EXPECT_THAT(imported.text(), HasSubstr("output y float32[1,8,4,4]"));
  EXPECT_EQ(ir::PrintType(imported.graph().value(imported.graph().FindValue("y/Transpose_1"))),
            "float32[3,3,8]");
}

TEST(OnnxConv, SequencesAreImagesOfHeightOne) {
  OnnxBuilder builder;
  builder.Input("x", {"N", "4", "16"}).Weights("w", {2, 4, 3});
  builder.Node("Conv", {"x", "w"}, {"y"}).Ints("strides", {2}).Ints("pads", {1, 1}).Output("y");
  const std::string text = Import(builder).text();
  EXPECT_THAT(text, HasSubstr("{ stride_w: 2, pad_left: 1, pad_right: 1 }"));
  EXPECT_THAT(text, HasSubstr("output y float32[N,2,8]"));
}

TEST(OnnxConv, AutoPadKeepsTheSizeOverTheStride) {
  const auto import = [](const std::string& mode, const std::string& size) {
    OnnxBuilder builder;
    builder.Input("x", {"1", "1", size, size}).Weights("w", {1, 1, 4, 4});
    builder.Node("Conv", {"x", "w"}, {"y"}).Ints("strides", {2, 2}).String("auto_pad", mode).Output("y");
    return Import(builder);
  };
  EXPECT_THAT(import("SAME_UPPER", "7").text(),
              HasSubstr("pad_top: 1, pad_left: 1, pad_bottom: 2, pad_right: 2"));
  EXPECT_THAT(import("SAME_LOWER", "7").text(),
              HasSubstr("pad_top: 2, pad_left: 2, pad_bottom: 1, pad_right: 1"));
  EXPECT_THAT(import("SAME_UPPER", "7").text(), HasSubstr("output y float32[1,1,4,4]"));
  EXPECT_THAT(import("VALID", "7").text(), HasSubstr("output y float32[1,1,2,2]"));
  // What depends on a size is computed.
  EXPECT_THAT(import("SAME_UPPER", "h").text(), HasSubstr("Pad(y/Transpose, y/Concat)"));
  EXPECT_THAT(import("SAME_UPPER", "h").text(),
              HasSubstr("output y float32[1,1,floor((h + 1) / 2),floor((h + 1) / 2)]"));
  EXPECT_EQ(import("NONSENSE", "7").status.code(), StatusCode::kInvalidModel);
}

TEST(OnnxConv, ChecksItsParameters) {
  const auto import = [](const char* attribute, std::vector<int64_t> values, std::vector<int64_t> weights) {
    OnnxBuilder builder;
    builder.Input("x", {"1", "4", "8", "8"}).Weights("w", std::move(weights));
    builder.Node("Conv", {"x", "w"}, {"y"}).Ints(attribute, values).Output("y");
    return Import(builder).status;
  };
  EXPECT_EQ(import("strides", {1, 1}, {2, 4, 3, 3}).code(), StatusCode::kOk);
  EXPECT_EQ(import("strides", {0, 1}, {2, 4, 3, 3}).code(), StatusCode::kInvalidModel);
  EXPECT_EQ(import("strides", {1}, {2, 4, 3, 3}).code(), StatusCode::kInvalidModel);
  EXPECT_EQ(import("pads", {-1, 0, 0, 0}, {2, 4, 3, 3}).code(), StatusCode::kInvalidModel);
  EXPECT_EQ(import("kernel_shape", {2, 2}, {2, 4, 3, 3}).code(), StatusCode::kInvalidModel);
  EXPECT_EQ(import("strides", {1, 1}, {2, 3, 3, 3}).code(), StatusCode::kInvalidModel);
  EXPECT_EQ(import("strides", {1, 1}, {2, 4, 9, 9}).code(), StatusCode::kInvalidModel);
  EXPECT_EQ(import("strides", {1, 1}, {2, 4, 3}).code(), StatusCode::kInvalidModel);
}

TEST(OnnxConvTranspose, ReordersWeightsOfGroups) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "4", "3", "3"}).Weights("w", {4, 3, 2, 2});
  builder.Node("ConvTranspose", {"x", "w"}, {"y"}).Int("group", 2).Ints("strides", {2, 2}).Output("y");
  auto imported = Import(builder);
  EXPECT_THAT(imported.text(), HasSubstr("output y float32[1,6,6,6]"));
  const ir::Node& conv = *imported.graph().nodes[1];
  EXPECT_EQ(ir::PrintType(imported.graph().value(conv.inputs[1])), "float32[6,2,2,2]");
}

TEST(OnnxConvTranspose, PadsToTheOutputShape) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "1", "3", "3"}).Weights("w", {1, 2, 3, 3});
  builder.Node("ConvTranspose", {"x", "w"}, {"y"})
      .Ints("strides", {3, 2})
      .Ints("output_shape", {9, 6})
      .Output("y");
  EXPECT_THAT(Import(builder).text(), HasSubstr("output y float32[1,2,9,6]"));
}

TEST(OnnxConvTranspose, ALargerOutputShapeEndsInPositionsThatNothingReaches) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "1", "3", "h"}).Weights("w", {1, 2, 3, 3});
  builder.Node("ConvTranspose", {"x", "w"}, {"y"}).Ints("strides", {3, 4}).String("auto_pad", "SAME_UPPER");
  EXPECT_THAT(Import(builder.Output("y")).text(), HasSubstr("output_pad_w: 1"));
}

TEST(OnnxPool, ReadsItsWindow) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "4", "8", "8"}).Node("AveragePool", {"x"}, {"y"}).Ints("kernel_shape", {3, 2});
  builder.Ints("strides", {2, 2}).Ints("pads", {1, 0, 1, 0}).Int("count_include_pad", 1).Int("ceil_mode", 1);
  EXPECT_THAT(Import(builder.Output("y")).text(),
              HasSubstr("{ kind: Average, kernel_h: 3, kernel_w: 2, stride_h: 2, stride_w: 2, "
                        "pad_top: 1, pad_bottom: 1, count_include_pad: true, ceil_mode: true }"));
}

TEST(OnnxBatchNormalization, FoldsToMulAndAdd) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "2", "4", "4"});
  builder.Floats("scale", {2}, {4, 6}).Floats("bias", {2}, {1, 2}).Floats("mean", {2}, {3, 5});
  builder.Floats("variance", {2}, {3, 8})
      .Node("BatchNormalization", {"x", "scale", "bias", "mean", "variance"}, {"y"});
  auto imported = Import(builder.Float("epsilon", 1.0f).Output("y"));
  EXPECT_EQ(imported.text(),
            "input x float32[1,2,4,4]\n"
            "y/Binary_4 = Binary(x, y/Reshape) { kind: Mul }\n"
            "y = Binary(y/Binary_4, y/Reshape_1)\n"
            "output y float32[1,2,4,4]\n");
  const auto elements = [&](const char* name) {
    const float* e = imported.graph().value(imported.graph().FindValue(name)).as<float>();
    return std::vector<float>(e, e + 2);
  };
  EXPECT_THAT(elements("y/Reshape"), ::testing::ElementsAre(2, 2));
  EXPECT_THAT(elements("y/Reshape_1"), ::testing::ElementsAre(-5, -8));
  EXPECT_THAT(imported.graph().nodes.back()->trained.deviations, ::testing::ElementsAre(4, 6));
  EXPECT_THAT(imported.graph().nodes.back()->trained.means, ::testing::ElementsAre(1, 2));
}

TEST(OnnxBatchNormalization, RecordsNothingWhereOneParameterBroadcasts) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "2", "4", "4"});
  builder.Floats("scale", {2}, {4, 6}).Floats("bias", {1}, {1}).Floats("mean", {2}, {3, 5});
  builder.Floats("variance", {2}, {3, 8})
      .Node("BatchNormalization", {"x", "scale", "bias", "mean", "variance"}, {"y"});
  auto imported = Import(builder.Output("y"));
  EXPECT_THAT(imported.graph().nodes.back()->trained.deviations, ::testing::IsEmpty());
  EXPECT_THAT(imported.graph().nodes.back()->trained.means, ::testing::IsEmpty());
}

TEST(OnnxResize, ScalesMoveWithTheLayout) {
  OnnxBuilder builder(11);
  builder.Input("x", {"1", "2", "4", "4"}).Floats("roi", {0}, {}).Floats("s", {4}, {1, 1, 2, 3});
  builder.Node("Resize", {"x", "roi", "s"}, {"y"}).String("mode", "linear").Output("y");
  const std::string text = Import(builder).text();
  EXPECT_THAT(text, HasSubstr("mode: Linear"));
  EXPECT_THAT(text, HasSubstr("scales: [ 1.0, 2.0, 3.0, 1.0 ]"));
  EXPECT_THAT(text, HasSubstr("output y float32[1,2,8,12]"));
}

TEST(OnnxResize, Opset10MapsPixelsByScaleAlone) {
  OnnxBuilder builder(10);
  builder.Input("x", {"1", "2", "4", "4"}).Floats("s", {4}, {1, 1, 2, 2});
  const std::string text = Import(builder.Node("Upsample", {"x", "s"}, {"y"}).Output("y")).text();
  EXPECT_THAT(text, HasSubstr("coordinates: Asymmetric, nearest: Floor"));
}

TEST(OnnxDepthToSpace, WorksForImagesOfAnySize) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "8", "h", "w"}).Node("DepthToSpace", {"x"}, {"y"}).Int("blocksize", 2).Output("y");
  EXPECT_THAT(Import(builder).text(), HasSubstr("output y float32[1,2,2*h,2*w]"));
}

}  // namespace
}  // namespace micrort
