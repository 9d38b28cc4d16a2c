// Operators of opsets 25 to 28, and opsets beyond those.

#include <gmock/gmock.h>

#include <cmath>

#include "tests/converter/run_onnx.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Import;
using ::testing::IsEmpty;
using testing::OnnxBuilder;
using testing::RunOnnx;
using testing::TextOf;

TEST(OnnxNewestOpsets, LaterOnesAreReadWithAWarning) {
  OnnxBuilder later(1000), latest(28);
  for (OnnxBuilder* builder : {&later, &latest})
    builder->Input("x", {"1"}).Node("Relu", {"x"}, {"y"}).Output("y");
  const auto imported = Import(later);
  EXPECT_TRUE(imported.status.ok()) << imported.status.message();
  EXPECT_THAT(imported.diagnostics.warnings, ElementsAre(HasSubstr("opset 1000 is newer than 28")));
  EXPECT_THAT(Import(latest).diagnostics.warnings, IsEmpty());
}

// The axis is an input of the model, so that it is computed.
Floats CumProdOf(const Floats& x, int exclusive, int reverse) {
  OnnxBuilder builder(26);
  builder.Input("x", {"2", std::to_string(x.size() / 2)}).Input("axis", {});
  builder.Node("Cast", {"axis"}, {"axis64"}).Int("to", ::onnx::TensorProto::INT64);
  builder.Node("CumProd", {"x", "axis64"}, {"y"}).Int("exclusive", exclusive).Int("reverse", reverse);
  builder.Output("y");
  return RunOnnx(builder, {{"x", x}, {"axis", {-1}}})["y"];
}

TEST(OnnxCumProd, MultipliesUpToEachElement) {
  const Floats x = {1, 2, 3, 4, 5, -1, 2, 0.5f, 4, 3};
  EXPECT_THAT(CumProdOf(x, 0, 0), ElementsAre(1, 2, 6, 24, 120, -1, -2, -1, -4, -12));
  EXPECT_THAT(CumProdOf(x, 1, 0), ElementsAre(1, 1, 2, 6, 24, 1, -1, -2, -1, -4));
  EXPECT_THAT(CumProdOf(x, 0, 1), ElementsAre(120, 120, 60, 20, 5, -12, 12, 6, 12, 3));
  EXPECT_THAT(CumProdOf(x, 1, 1), ElementsAre(120, 60, 20, 5, 1, 12, 6, 12, 3, 1));
  EXPECT_THAT(CumProdOf({7, 8}, 0, 0), ElementsAre(7, 8));
}

TEST(OnnxCumProd, SmallIntegersWrap) {
  OnnxBuilder builder(26);
  builder.Input("x", {"3"}).Node("Cast", {"x"}, {"x8"}).Int("to", ::onnx::TensorProto::INT8);
  builder.Integers("axis", {}, {0}).Node("CumProd", {"x8", "axis"}, {"y8"});
  builder.Node("Cast", {"y8"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT).Output("y");
  EXPECT_THAT(RunOnnx(builder, {{"x", {100, 2, -3}}})["y"], ElementsAre(100, -56, -88));
}

TEST(OnnxSwiGlu, GatesTheValue) {
  OnnxBuilder builder(28);
  builder.Input("a", {"3"}).Input("b", {"3"}).Node("SwiGLU", {"a", "b"}, {"y"}).Float("alpha", 2).Output("y");
  const Floats y = RunOnnx(builder, {{"a", {0, 1, -2}}, {"b", {5, 3, 2}}})["y"];
  const auto expected = [](float a, float b) { return a / (1 + std::exp(-2 * a)) * b; };
  EXPECT_THAT(y, ElementsAre(0, FloatNear(expected(1, 3), 1e-5f), FloatNear(expected(-2, 2), 1e-5f)));
}

TEST(OnnxBitCast, KeepsTheBits) {
  OnnxBuilder builder(26);
  builder.Input("x", {"2"}).Narrow("bits", ::onnx::TensorProto::INT32, {2}, {0x3f800000, 0x40400000});
  builder.Node("BitCast", {"bits"}, {"c"}).Int("to", ::onnx::TensorProto::FLOAT);
  builder.Node("Mul", {"x", "c"}, {"y"}).Output("y");
  EXPECT_THAT(RunOnnx(builder, {{"x", {5, 7}}})["y"], ElementsAre(5, 21));
  // Without its sign bit, a float is its magnitude.
  OnnxBuilder computed(26);
  computed.Input("x", {"3"}).Narrow("mask", ::onnx::TensorProto::INT32, {1}, {0x7fffffff});
  computed.Node("BitCast", {"x"}, {"i"}).Int("to", ::onnx::TensorProto::INT32);
  computed.Node("BitwiseAnd", {"i", "mask"}, {"m"});
  computed.Node("BitCast", {"m"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT).Output("y");
  EXPECT_THAT(RunOnnx(computed, {{"x", {-1.5f, 2, -0.25f}}})["y"], ElementsAre(1.5f, 2, 0.25f));
}

TEST(OnnxBitCast, RefusesTypesOfOtherSizes) {
  OnnxBuilder other_size(26);
  other_size.Input("x", {"2"})
      .Node("BitCast", {"x"}, {"y"})
      .Int("to", ::onnx::TensorProto::INT64)
      .Output("y");
  EXPECT_THAT(TextOf(other_size), HasSubstr("the bits of float32 make no int64"));
}

// Two channels, kernel of 3: y[t] = bias + w0 x[t-2] + w1 x[t-1] + w2 x[t].
OnnxBuilder CausalConv(bool with_state) {
  OnnxBuilder builder(27);
  builder.Input("x", {"1", "2", "3"}).Input("past", {"1", "2", "2"});
  builder.Floats("w", {2, 1, 3}, {1, 10, 100, 2, 0, 1}).Floats("b", {2}, {0.5f, 0});
  builder.Node("CausalConvWithState", {"x", "w", "b", with_state ? "past" : ""}, {"y", "present"});
  return std::move(builder.Output("y").Output("present"));
}

TEST(OnnxCausalConvWithState, ConvolvesChannelsOverTheStateAndTheInput) {
  const std::map<std::string, Floats> inputs = {{"x", {1, 2, 3, 4, 5, 6}}, {"past", {7, 8, 9, 10}}};
  auto with_state = RunOnnx(CausalConv(true), inputs);
  EXPECT_THAT(with_state["y"], ElementsAre(187.5f, 218.5f, 321.5f, 22, 25, 14));
  EXPECT_THAT(with_state["present"], ElementsAre(2, 3, 5, 6));
  auto without = RunOnnx(CausalConv(false), inputs);
  EXPECT_THAT(without["y"], ElementsAre(100.5f, 210.5f, 321.5f, 4, 5, 14));
  EXPECT_THAT(without["present"], ElementsAre(2, 3, 5, 6));
}

TEST(OnnxCausalConvWithState, AppliesSilu) {
  OnnxBuilder builder(27);
  builder.Input("x", {"1", "1", "2"}).Floats("w", {1, 1, 1}, {1});
  builder.Node("CausalConvWithState", {"x", "w"}, {"y"}).String("activation", "silu").Output("y");
  EXPECT_THAT(RunOnnx(builder, {{"x", {0, 1}}})["y"], ElementsAre(0, FloatNear(0.731059f, 1e-5f)));
}

TEST(OnnxRange, CountsInHalves) {
  OnnxBuilder builder(27);
  builder.Input("x", {"3"}).Floats("from", {}, {1}).Floats("to", {}, {2.4f}).Floats("by", {}, {0.5f});
  for (const char* name : {"from", "to", "by"}) {
    builder.Node("Cast", {name}, {std::string(name) + "16"}).Int("to", ::onnx::TensorProto::FLOAT16);
  }
  builder.Node("Range", {"from16", "to16", "by16"}, {"r"}).Int("stash_type", 1);
  builder.Node("Cast", {"r"}, {"r32"}).Int("to", ::onnx::TensorProto::FLOAT);
  builder.Node("Add", {"x", "r32"}, {"y"}).Output("y");
  EXPECT_THAT(RunOnnx(builder, {{"x", {0, 0, 0}}})["y"], ElementsAre(1, 1.5f, 2));
}

TEST(OnnxReduce, OfNoBoolsTheMaximumIsFalseAndTheMinimumTrue) {
  for (const auto& [op, expected] : {std::pair<const char*, float>{"ReduceMax", 0}, {"ReduceMin", 1}}) {
    OnnxBuilder builder(20);
    builder.Input("x", {"0", "2"}).Node("Cast", {"x"}, {"b"}).Int("to", ::onnx::TensorProto::BOOL);
    builder.Integers("axes", {1}, {0}).Node(op, {"b", "axes"}, {"r"});
    builder.Node("Cast", {"r"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT).Output("y");
    EXPECT_THAT(RunOnnx(builder, {{"x", {}}})["y"], ElementsAre(expected, expected)) << op;
  }
}

// Pads of 1 before and 2 behind, along the axis that is given.
Floats PaddedAlong(float axis) {
  OnnxBuilder builder(18);
  builder.Input("x", {"1", "2"}).Input("axis", {"1"}).Integers("pads", {2}, {1, 2});
  builder.Node("Cast", {"axis"}, {"axis64"}).Int("to", ::onnx::TensorProto::INT64);
  builder.Node("Pad", {"x", "pads", "", "axis64"}, {"y"}).Output("y");
  return RunOnnx(builder, {{"x", {5, 7}}, {"axis", {axis}}})["y"];
}

TEST(OnnxPad, AxesMayBeComputed) {
  EXPECT_THAT(PaddedAlong(1), ElementsAre(0, 5, 7, 0, 0));
  EXPECT_THAT(PaddedAlong(-1), ElementsAre(0, 5, 7, 0, 0));
  EXPECT_THAT(PaddedAlong(0), ElementsAre(0, 0, 5, 7, 0, 0, 0, 0));
}

}  // namespace
}  // namespace micrort
