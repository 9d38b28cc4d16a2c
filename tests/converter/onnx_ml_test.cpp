// Linear models of ai.onnx.ml, and what prepares features for them.

#include <gmock/gmock.h>

#include <limits>

#include "tests/converter/converted.h"

namespace micrort::testing::onnx_ml {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

OnnxBuilder Ml(const std::string& op, const std::vector<std::string>& outputs = {"y"},
               int type = ::onnx::TensorProto::FLOAT) {
  OnnxBuilder b(15);
  return b.Input("x", {"n", "2"}, type).Node(op, {"x"}, outputs).Domain("ai.onnx.ml", 3);
}

std::string Of(OnnxBuilder b, const io::NamedArray& x, const std::vector<std::string>& outputs = {"y"}) {
  Converted converted(b, outputs);
  return converted.status().ok() ? converted.Run({x}) : converted.status().message();
}

const io::NamedArray kRows = Array<float>({2, 2}, {3, -4, 0, 0});

TEST(OnnxMl, RegressorsMultiplyByCoefficients) {
  EXPECT_EQ(Of(Ml("LinearRegressor").Numbers("coefficients", {1, 2}).Numbers("intercepts", {0.5f}), kRows),
            "2x1: -4.5 0.5");
  EXPECT_EQ(Of(Ml("LinearRegressor").Numbers("coefficients", {1, 2, 0, 1}).Int("targets", 2), kRows),
            "2x2: -5 -4 0 0");
}

TEST(OnnxMl, ClassifiersTakeTheLargestScore) {
  OnnxBuilder b = Ml("LinearClassifier", {"label", "y"}).Numbers("coefficients", {1, 0, 0, 1, -1, -1});
  b.Numbers("intercepts", {0, 1, 0}).Ints("classlabels_ints", {4, 5, 6});
  EXPECT_EQ(Of(b, kRows, {"label", "y"}), "2: 4 5; 2x3: 3 -3 1 0 1 0");
  b.String("post_transform", "SOFTMAX_ZERO");
  EXPECT_EQ(Of(b, Array<float>({1, 2}, {0, 0}), {"y"}), "1x3: 0 1 0");
}

TEST(OnnxMl, OneScoreIsThatOfTheSecondOfTwoClasses) {
  OnnxBuilder b = Ml("LinearClassifier", {"label", "y"}).Numbers("coefficients", {1, 0});
  b.Numbers("intercepts", {-1}).Ints("classlabels_ints", {4, 5});
  EXPECT_EQ(Of(b, kRows, {"label", "y"}), "2: 5 4; 2x2: -1 2 2 -1");
  b.String("post_transform", "LOGISTIC");
  EXPECT_EQ(Of(b, kRows, {"y"}), "2x2: 0.119203 0.880797 0.731059 0.268941");
}

TEST(OnnxMl, FeaturesAreScaledAndNormalized) {
  EXPECT_EQ(Of(Ml("Scaler").Numbers("offset", {1, 2}).Numbers("scale", {2}), kRows), "2x2: 4 -12 -2 -4");
  EXPECT_EQ(Of(Ml("Normalizer").String("norm", "L2"), kRows), "2x2: 0.6 -0.8 0 0");
  EXPECT_EQ(Of(Ml("Normalizer").String("norm", "L1"), kRows), "2x2: 0.428571 -0.571429 0 0");
  EXPECT_EQ(Of(Ml("Normalizer").String("norm", "MAX"), kRows), "2x2: 1 -1.33333 0 0");
  EXPECT_EQ(Of(Ml("Binarizer").Float("threshold", 0), kRows), "2x2: 1 0 0 0");
}

TEST(OnnxMl, MissingFeaturesAreReplaced) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const io::NamedArray x = Array<float>({2, 2}, {kNan, 1, 2, kNan});
  OnnxBuilder b = Ml("Imputer").Numbers("imputed_value_floats", {7, 8}).Float("replaced_value_float", kNan);
  EXPECT_EQ(Of(b, x), "2x2: 7 1 2 8");
  OnnxBuilder integers = Ml("Imputer", {"y"}, ::onnx::TensorProto::INT64).Ints("imputed_value_int64s", {5});
  EXPECT_EQ(Of(integers.Int("replaced_value_int64", -1), Array<int64_t>({1, 2}, {-1, 3})), "1x2: 5 3");
}

TEST(OnnxMl, LabelsAndCategoriesAreLookedUp) {
  const io::NamedArray x = Array<int64_t>({1, 2}, {20, 5});
  OnnxBuilder encoder = Ml("LabelEncoder", {"y"}, ::onnx::TensorProto::INT64);
  encoder.Ints("keys_int64s", {10, 20}).Numbers("values_floats", {0.5f, 1.5f}).Float("default_float", 9);
  EXPECT_EQ(Of(encoder, x), "1x2: 1.5 9");
  OnnxBuilder hot = Ml("OneHotEncoder", {"y"}, ::onnx::TensorProto::INT64).Ints("cats_int64s", {5, 10, 20});
  EXPECT_EQ(Of(hot, x), "1x2x3: 0 0 1 1 0 0");
}

TEST(OnnxMl, ColumnsAreTakenAndJoined) {
  OnnxBuilder b(15);
  b.Input("x", {"n", "2"}).Integers("places", {1}, {1});
  b.Node("ArrayFeatureExtractor", {"x", "places"}, {"part"}).Domain("ai.onnx.ml", 3);
  b.Node("FeatureVectorizer", {"x", "part"}, {"y"}).Domain("ai.onnx.ml", 3).Ints("inputdimensions", {2, 1});
  EXPECT_EQ(Of(b, kRows), "2x3: 3 -4 -4 0 0 0");
}

TEST(OnnxMl, MapsBecomeTheScoresOfAllClasses) {
  OnnxBuilder b = Ml("ZipMap").Strings("classlabels_strings", {"cat", "dog"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({kRows}), "2x2: 3 -4 0 0");
  EXPECT_THAT(converted.result().notes, Contains(HasSubstr("a score for each of 2 classes")));
}

TEST(OnnxMl, IsRefusedWithAReason) {
  EXPECT_THAT(Of(Ml("LinearRegressor").Numbers("coefficients", {1, 2, 3}).Int("targets", 2), kRows),
              HasSubstr("3 coefficients of 2 targets"));
  EXPECT_THAT(Of(Ml("LinearRegressor").Numbers("coefficients", {1, 2}).Numbers("intercepts", {1, 2}), kRows),
              HasSubstr("2 intercepts of 1 targets"));
  EXPECT_THAT(
      Of(Ml("LinearRegressor").Numbers("coefficients", {1, 2}).String("post_transform", "PROBIT"), kRows),
      HasSubstr("post_transform PROBIT"));
  EXPECT_THAT(Of(Ml("LinearClassifier", {"l", "y"}).Numbers("coefficients", {1, 2}), kRows),
              HasSubstr("no labels of classes"));
  EXPECT_THAT(Of(Ml("Normalizer").String("norm", "L3"), kRows), HasSubstr("norm L3"));
  EXPECT_THAT(Of(Ml("Imputer"), kRows), HasSubstr("no imputed values"));
  EXPECT_THAT(Of(Ml("LabelEncoder").Strings("keys_strings", {"a"}), kRows), HasSubstr("strings"));
  EXPECT_THAT(Of(Ml("LabelEncoder").Ints("keys_int64s", {1, 2}).Ints("values_int64s", {1}), kRows),
              HasSubstr("2 keys of 1 values"));
  EXPECT_THAT(Of(Ml("SVMRegressor"), kRows), HasSubstr("classical machine learning"));
}

}  // namespace
}  // namespace micrort::testing::onnx_ml
