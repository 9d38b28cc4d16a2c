// What operators meant before opset 6.

#include <gmock/gmock.h>

#include "tests/converter/folded_values.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::FoldedY;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;
using ::testing::Pointwise;

TEST(OnnxOpset1, ConsumedInputsSayNothingAboutValues) {
  OnnxBuilder b(1);
  b.Floats("x", {2}, {-1, 2}).Node("Relu", {"x"}, {"r"}).Ints("consumed_inputs", {1});
  EXPECT_THAT(FoldedY(b.Node("Neg", {"r"}, {"y"}).Ints("consumed_inputs", {0})), ElementsAre(0, -2));
}

TEST(OnnxOpset1, OperandsBroadcastFromAnAxisWhereTheySaySo) {
  OnnxBuilder b(1);
  b.Floats("a", {2, 3}, {1, 2, 3, 4, 5, 6}).Floats("b", {2}, {10, 20});
  b.Node("Add", {"a", "b"}, {"y"}).Int("broadcast", 1).Int("axis", 0);
  EXPECT_THAT(FoldedY(b), ElementsAre(11, 12, 13, 24, 25, 26));
}

TEST(OnnxOpset1, CastSpellsItsTypeOut) {
  OnnxBuilder b(1);
  b.Floats("x", {2}, {1.75f, -3.5f}).Node("Cast", {"x"}, {"y"}).String("to", "INT32");
  EXPECT_THAT(FoldedY(b), ElementsAre(1, -3));
  OnnxBuilder unknown(1);
  unknown.Floats("x", {1}, {1}).Node("Cast", {"x"}, {"y"}).String("to", "FLOATY").Output("y");
  EXPECT_EQ(Import(unknown).status.code(), StatusCode::kUnsupported);
}

TEST(OnnxOpset1, ReshapeHasItsShapeAsAnAttribute) {
  OnnxBuilder b(1);
  b.Weights("x", {2, 6}).Node("Reshape", {"x"}, {"r"}).Ints("shape", {0, -1, 2});
  b.Node("Shape", {"r"}, {"y"});
  EXPECT_THAT(FoldedY(b), ElementsAre(2, 3, 2));
  OnnxBuilder none(5);
  none.Weights("x", {2}).Node("Reshape", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(Import(none).text(), HasSubstr("expected one new shape"));
}

TEST(OnnxOpset1, TileRepeatsAlongOneAxis) {
  OnnxBuilder b(1);
  b.Floats("x", {2, 2}, {1, 2, 3, 4}).Floats("n", {1}, {2}).Floats("axis", {1}, {1});
  b.Node("Cast", {"n"}, {"tiles"}).String("to", "INT64").Node("Cast", {"axis"}, {"at"}).String("to", "INT64");
  EXPECT_THAT(FoldedY(b.Node("Tile", {"x", "tiles", "at"}, {"y"})), ElementsAre(1, 2, 1, 2, 3, 4, 3, 4));
}

TEST(OnnxOpset1, PadCallsItsPadsPaddings) {
  OnnxBuilder b(1);
  b.Floats("x", {2}, {1, 2}).Node("Pad", {"x"}, {"y"}).Ints("paddings", {1, 2}).Float("value", 9);
  EXPECT_THAT(FoldedY(b), ElementsAre(9, 1, 2, 9, 9));
}

TEST(OnnxOpset1, SplitTakesSizesAsAnInput) {
  OnnxBuilder b(1);
  b.Floats("x", {3}, {1, 2, 3}).Integers("sizes", {2}, {1, 2}).Node("Split", {"x", "sizes"}, {"a", "y"});
  EXPECT_THAT(FoldedY(b), ElementsAre(2, 3));
}

TEST(OnnxOpset1, UpsampleHasAScaleForEachSide) {
  OnnxBuilder b(1);
  b.Floats("x", {1, 1, 1, 2}, {1, 2}).Node("Upsample", {"x"}, {"y"});
  EXPECT_THAT(FoldedY(b.Float("height_scale", 2).Float("width_scale", 1)), ElementsAre(1, 2, 1, 2));
}

TEST(OnnxOpset1, SeluHasShorterConstants) {
  OnnxBuilder b(1);
  b.Floats("x", {1}, {1}).Node("Selu", {"x"}, {"y"});
  EXPECT_THAT(FoldedY(b), ElementsAre(1.0507f));
}

TEST(OnnxOpset1, LpPoolHasAnyPower) {
  OnnxBuilder b(1);
  b.Floats("x", {1, 1, 2}, {1, 4}).Node("GlobalLpPool", {"x"}, {"y"}).Float("p", 1.5f);
  EXPECT_THAT(FoldedY(b), Pointwise(FloatNear(1e-5f), {4.3267488f}));  // (1 + 4^1.5)^(1/1.5)
}

TEST(OnnxExperimental, ActivationsAreScaled) {
  OnnxBuilder tanh(1);
  tanh.Floats("x", {2}, {0, 1}).Node("ScaledTanh", {"x"}, {"y"}).Float("alpha", 2).Float("beta", 0.5f);
  EXPECT_THAT(FoldedY(tanh), Pointwise(FloatNear(1e-6f), {0.0f, 0.92423431f}));
  OnnxBuilder softplus(1);
  softplus.Floats("x", {1}, {0}).Node("ParametricSoftplus", {"x"}, {"y"}).Float("alpha", 3).Float("beta", 2);
  EXPECT_THAT(FoldedY(softplus), Pointwise(FloatNear(1e-6f), {2.0794415f}));
  OnnxBuilder affine(1);
  affine.Floats("x", {1}, {4}).Node("Affine", {"x"}, {"a"}).Float("alpha", 3).Float("beta", 2);
  EXPECT_THAT(FoldedY(affine.Node("Scale", {"a"}, {"y"}).Float("scale", 0.5f)), ElementsAre(7));
}

TEST(OnnxExperimental, ImageScalerHasABiasForEachChannel) {
  OnnxBuilder b(1);
  b.Floats("x", {1, 2, 1, 2}, {1, 2, 3, 4}).Node("ImageScaler", {"x"}, {"y"}).Float("scale", 2);
  b.graph().mutable_node(0)->add_attribute()->set_name("bias");
  auto* bias = b.graph().mutable_node(0)->mutable_attribute(1);
  bias->set_type(::onnx::AttributeProto::FLOATS);
  for (float v : {10.0f, 20.0f}) bias->add_floats(v);
  EXPECT_THAT(FoldedY(b), ElementsAre(12, 14, 26, 28));
}

TEST(OnnxExperimental, CropTakesBordersOff) {
  const auto cropped = [](const std::vector<int64_t>& scale) {
    OnnxBuilder b(1);
    b.Floats("x", {1, 1, 3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    b.Node("Crop", {"x"}, {"y"}).Ints("border", {1, 0, 2, 1});
    if (!scale.empty()) b.Ints("scale", scale);
    return FoldedY(b);
  };
  EXPECT_THAT(cropped({}), ElementsAre(1, 5));
  EXPECT_THAT(cropped({1, 3}), ElementsAre(1, 2, 3));
}

TEST(OnnxExperimental, MeanVarianceNormalizationMayKeepTheVariance) {
  OnnxBuilder b(1);
  b.Floats("x", {1, 2, 1, 2}, {1, 3, 5, 9}).Node("MeanVarianceNormalization", {"x"}, {"y"});
  EXPECT_THAT(FoldedY(b.Int("normalize_variance", 0)), ElementsAre(-1, 1, -2, 2));
  OnnxBuilder across(1);
  across.Floats("x", {1, 2, 1, 1}, {1, 3}).Node("MeanVarianceNormalization", {"x"}, {"y"});
  EXPECT_THAT(FoldedY(across.Int("across_channels", 1)), Pointwise(FloatNear(1e-4f), {-1.0f, 1.0f}));
}

}  // namespace
}  // namespace micrort
