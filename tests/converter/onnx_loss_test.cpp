// Losses, and BatchNormalization where it trains.

#include <gmock/gmock.h>

#include <cmath>

#include "tests/converter/run_onnx.h"

namespace micrort {
namespace {

using ::testing::FloatNear;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;
using ::testing::Pointwise;
using testing::RunOnnx;

const Floats kScores = {-1, -2, -3, -4, -5, -6, -7, -8, -9};

Floats NegativeLogLikelihood(const char* reduction, std::vector<int64_t> targets, const Floats& weights) {
  OnnxBuilder builder(13);
  builder.Input("x", {"3", "3"}).Integers("t", {3}, targets);
  std::vector<std::string> inputs = {"x", "t"};
  if (!weights.empty()) {
    builder.Floats("w", {3}, weights);
    inputs.push_back("w");
  }
  builder.Node("NegativeLogLikelihoodLoss", inputs, {"y"})
      .String("reduction", reduction)
      .Int("ignore_index", 1);
  return RunOnnx(builder.Output("y"), {{"x", kScores}})["y"];
}

TEST(OnnxLoss, PicksTheScoreOfTheTarget) {
  EXPECT_THAT(NegativeLogLikelihood("none", {0, 2, 1}, {}), Pointwise(FloatNear(1e-6f), Floats{1, 6, 0}));
  EXPECT_THAT(NegativeLogLikelihood("sum", {0, 2, 1}, {}), Pointwise(FloatNear(1e-6f), Floats{7}));
  EXPECT_THAT(NegativeLogLikelihood("mean", {0, 2, 1}, {}), Pointwise(FloatNear(1e-6f), Floats{3.5f}));
  EXPECT_THAT(NegativeLogLikelihood("mean", {0, 2, 1}, {1, 5, 3}),
              Pointwise(FloatNear(1e-6f), Floats{19.0f / 4}));
}

TEST(OnnxLoss, CrossEntropyGivesItsLogarithms) {
  OnnxBuilder builder(13);
  builder.Input("x", {"1", "2", "2"}).Integers("t", {1, 2}, {1, 0});
  builder.Node("SoftmaxCrossEntropyLoss", {"x", "t"}, {"y", "p"}).Output("y").Output("p");
  auto outputs = RunOnnx(builder, {{"x", {0, 1, 0, 1}}});
  EXPECT_THAT(outputs["y"], Pointwise(FloatNear(1e-6f), Floats{std::log(2.0f)}));
  EXPECT_THAT(outputs["p"], Pointwise(FloatNear(1e-6f), Floats(4, -std::log(2.0f))));
}

TEST(OnnxLoss, ChecksShapesAndReduction) {
  const auto import = [](std::vector<std::string> dims, const char* reduction) {
    OnnxBuilder builder(13);
    builder.Input("x", dims).Integers("t", {2}, {0, 1}).Node("NegativeLogLikelihoodLoss", {"x", "t"}, {"y"});
    return Import(builder.String("reduction", reduction).Output("y")).text();
  };
  EXPECT_THAT(import({"2", "3"}, "average"), HasSubstr("reduction 'average'"));
  EXPECT_THAT(import({"2", "3", "4"}, "sum"), HasSubstr("found 3 and 1 dimensions"));
}

TEST(OnnxBatchNormalization, TrainsOnTheBatch) {
  OnnxBuilder builder(15);
  builder.Input("x", {"2", "1", "2"}).Floats("s", {1}, {2}).Floats("b", {1}, {1}).Floats("m", {1}, {10});
  builder.Floats("v", {1}, {20})
      .Node("BatchNormalization", {"x", "s", "b", "m", "v"}, {"y", "mean", "variance"});
  builder.Int("training_mode", 1).Float("epsilon", 0).Float("momentum", 0.75f);
  auto outputs = RunOnnx(builder.Output("y").Output("mean").Output("variance"), {{"x", {1, 1, 3, 3}}});
  EXPECT_THAT(outputs["y"], Pointwise(FloatNear(1e-6f), Floats{-1, -1, 3, 3}));
  EXPECT_THAT(outputs["mean"], Pointwise(FloatNear(1e-6f), Floats{8}));
  EXPECT_THAT(outputs["variance"], Pointwise(FloatNear(1e-6f), Floats{15.25f}));
}

TEST(OnnxBatchNormalization, MayHaveParametersForEveryElement) {
  OnnxBuilder builder(7);
  builder.Input("x", {"1", "1", "2"}).Floats("s", {1, 2}, {1, 2}).Floats("b", {1, 2}, {0, 1});
  builder.Floats("m", {1, 2}, {1, 1}).Floats("v", {1, 2}, {4, 1});
  builder.Node("BatchNormalization", {"x", "s", "b", "m", "v"}, {"y"}).Int("spatial", 0).Float("epsilon", 0);
  EXPECT_THAT(RunOnnx(builder.Output("y"), {{"x", {3, 3}}})["y"], Pointwise(FloatNear(1e-6f), Floats{1, 5}));
}

}  // namespace
}  // namespace micrort
