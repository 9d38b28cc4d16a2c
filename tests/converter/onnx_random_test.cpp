// Random numbers and Dropout.

#include <gmock/gmock.h>

#include "tests/converter/run_onnx.h"

namespace micrort {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Import;
using ::testing::Not;
using testing::OnnxBuilder;
using ::testing::Pointwise;
using testing::RunOnnx;

TEST(OnnxRandom, NumbersAreThoseOfNumPy) {
  OnnxBuilder uniform(13);
  uniform.Node("RandomUniform", {}, {"y"}).Ints("shape", {2}).Float("seed", 0).Float("low", -1).Output("y");
  EXPECT_THAT(RunOnnx(uniform)["y"], Pointwise(FloatNear(1e-6f), Floats{0.0976270079f, 0.430378733f}));
  OnnxBuilder normal(13);
  normal.Node("RandomNormal", {}, {"y"}).Ints("shape", {1, 2}).Float("seed", 12345).Float("scale", 2);
  EXPECT_THAT(RunOnnx(normal.Output("y"))["y"],
              Pointwise(FloatNear(1e-6f), Floats{-0.409415319f, 0.957886676f}));
}

TEST(OnnxRandom, NodesWithoutASeedDiffer) {
  const auto draw = [](const char* name) {
    OnnxBuilder builder(13);
    builder.Input("x", {"3"}).Node("RandomNormalLike", {"x"}, {name}).Node("Identity", {name}, {"y"});
    return RunOnnx(builder.Output("y"), {{"x", {0, 0, 0}}})["y"];
  };
  EXPECT_EQ(draw("a"), draw("a"));
  EXPECT_NE(draw("a"), draw("b"));
}

TEST(OnnxRandom, BernoulliFollowsItsProbabilities) {
  OnnxBuilder builder(15);
  builder.Input("x", {"4"}).Node("Bernoulli", {"x"}, {"y"}).Float("seed", 0).Output("y");
  EXPECT_THAT(RunOnnx(builder, {{"x", {0, 1, 0.4f, 0.6f}}})["y"], ElementsAre(0, 1, 1, 1));
}

TEST(OnnxRandom, MultinomialDrawsTheOnlyLikelyClass) {
  OnnxBuilder builder(13);
  builder.Input("x", {"2", "3"}).Node("Multinomial", {"x"}, {"y"}).Int("sample_size", 4).Int("dtype", 7);
  EXPECT_THAT(RunOnnx(builder.Output("y"), {{"x", {-99, 0, -99, 0, -99, -99}}})["y"],
              ElementsAre(1, 1, 1, 1, 0, 0, 0, 0));
}

OnnxBuilder Dropout(float ratio, bool trains) {
  OnnxBuilder builder(13);
  builder.Input("x", {"4"}).Floats("r", {}, {ratio});
  auto* tensor = builder.graph().add_initializer();
  tensor->set_name("t");
  tensor->set_data_type(::onnx::TensorProto::BOOL);
  tensor->add_int32_data(trains ? 1 : 0);
  builder.Node("Dropout", {"x", "r", "t"}, {"y", "mask"}).Int("seed", 0);
  return builder.Output("y").Output("mask");
}

TEST(OnnxDropout, DropsOnlyWhereItTrains) {
  const std::map<std::string, Floats> x = {{"x", {1, 2, 3, 4}}};
  EXPECT_THAT(RunOnnx(Dropout(0.5f, false), x)["y"], ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(RunOnnx(Dropout(0, true), x)["y"], ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Import(Dropout(0, true)).text(), Not(HasSubstr("Select"))) << "a ratio of 0 costs nothing";
  // Uniform numbers from seed 0: 0.549, 0.715, 0.603, 0.545.
  EXPECT_THAT(RunOnnx(Dropout(0.6f, true), x)["y"], Pointwise(FloatNear(1e-5f), Floats{0, 5, 7.5f, 0}));
  EXPECT_THAT(RunOnnx(Dropout(1, true), x)["y"], Each(0.0f));
}

TEST(OnnxDropout, MasksAreBoolFromOpset10On) {
  const auto import = [](int opset) {
    OnnxBuilder builder(opset);
    builder.Input("x", {"4"}).Node("Dropout", {"x"}, {"y", "mask"});
    return Import(builder.Output("mask")).text();
  };
  EXPECT_THAT(import(9), HasSubstr("mask float32[4]"));
  EXPECT_THAT(import(10), HasSubstr("mask bool[4]"));
}

}  // namespace
}  // namespace micrort
