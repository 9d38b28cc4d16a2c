// Importers of attention and of what transformers have around it.

#include <gmock/gmock.h>

#include <cmath>

#include "converter/pipeline/pipeline.h"
#include "tests/converter/folded_values.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::FoldedValues;
using testing::FoldedY;
using Floats = std::vector<float>;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;
using ::testing::Pointwise;

// Two positions of one head of one number; all keys are equal, so what is seen has equal weights.
OnnxBuilder TwoPositions() {
  OnnxBuilder builder(24);
  builder.Floats("q", {1, 1, 2, 1}, {1, 2})
      .Floats("k", {1, 1, 2, 1}, {1, 1})
      .Floats("v", {1, 1, 2, 1}, {2, 6});
  return builder;
}

TEST(OnnxAttention, AveragesWhatIsSeen) {
  OnnxBuilder all = TwoPositions();
  all.Node("Attention", {"q", "k", "v"}, {"y"});
  EXPECT_THAT(FoldedY(all), ElementsAre(4, 4));
  OnnxBuilder causal = TwoPositions();
  causal.Node("Attention", {"q", "k", "v"}, {"y"}).Int("is_causal", 1);
  EXPECT_THAT(FoldedY(causal), ElementsAre(2, 4));
  OnnxBuilder lengths = TwoPositions();
  lengths.Integers("n", {1}, {1}).Node("Attention", {"q", "k", "v", "", "", "", "n"}, {"y"});
  EXPECT_THAT(FoldedY(lengths), ElementsAre(2, 2));
}

// Rows of padding see nothing: 0, as in ONNX's own definition, not NaN.
TEST(OnnxAttention, RowsThatSeeNothingAreZero) {
  OnnxBuilder flags = TwoPositions();
  flags.Narrow("m", ::onnx::TensorProto::BOOL, {2, 2}, {0, 0, 1, 0});
  flags.Node("Attention", {"q", "k", "v", "m"}, {"y"});
  EXPECT_THAT(FoldedY(flags), ElementsAre(0, 2));
  OnnxBuilder added = TwoPositions();
  added.Floats("m", {1, 2}, {-INFINITY, -INFINITY}).Node("Attention", {"q", "k", "v", "m"}, {"y"});
  EXPECT_THAT(FoldedY(added), ElementsAre(0, 0));
  OnnxBuilder lengths = TwoPositions();
  lengths.Integers("n", {1}, {0}).Node("Attention", {"q", "k", "v", "", "", "", "n"}, {"y"});
  EXPECT_THAT(FoldedY(lengths), ElementsAre(0, 0));
  // The second position is the first of all.
  OnnxBuilder causal = TwoPositions();
  causal.Integers("n", {1}, {1});
  causal.Node("Attention", {"q", "k", "v", "", "", "", "n"}, {"y"}).Int("is_causal", 1);
  EXPECT_THAT(FoldedY(causal), ElementsAre(0, 2));
}

TEST(OnnxAttention, ScoresOfRowsThatSeeNothing) {
  for (const auto& [mode, expected] :
       {std::make_pair(2, Floats{-INFINITY, -INFINITY, 2, -INFINITY}), {3, Floats{0, 0, 1, 0}}}) {
    OnnxBuilder builder = TwoPositions();
    builder.Narrow("m", ::onnx::TensorProto::BOOL, {2, 2}, {0, 0, 1, 0});
    builder.Node("Attention", {"q", "k", "v", "m"}, {"", "", "", "y"}).Int("qk_matmul_output_mode", mode);
    EXPECT_EQ(FoldedY(builder), expected) << mode;
  }
}

// Still one operator, with a mask that only a run knows.
TEST(OnnxAttention, RowsThatSeeNothingInARun) {
  OnnxBuilder builder(23);
  for (const char* name : {"q", "k", "v"}) builder.Input(name, {"1", "1", "2", "1"});
  builder.Input("m", {"2", "2"}, ::onnx::TensorProto::BOOL);
  builder.Node("Attention", {"q", "k", "v", "m"}, {"y"}).Output("y");
  testing::Imported imported = Import(builder);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ASSERT_TRUE(passes::Optimize(imported.module, {}).ok());
  EXPECT_EQ(testing::CountOps(imported.graph(), schema::OpCode::Attention), 1);
  std::map<std::string, Floats> outputs;
  const Status status = testing::Evaluate(
      imported.graph(), {{"q", {1, 2}}, {"k", {1, 1}}, {"v", {2, 6}}, {"m", {0, 0, 1, 1}}}, &outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(outputs["y"], Floats({0, 4}));
}

TEST(OnnxAttention, ThePastComesBefore) {
  OnnxBuilder builder = TwoPositions();
  builder.Floats("pk", {1, 1, 1, 1}, {1}).Floats("pv", {1, 1, 1, 1}, {10});
  builder.Node("Attention", {"q", "k", "v", "", "pk", "pv"}, {"y", "key", "value"}).Int("is_causal", 1);
  const auto values = FoldedValues(builder.Output("y").Output("key").Output("value"));
  ASSERT_EQ(values.size(), 3u);
  EXPECT_THAT(values[0], ElementsAre(6, 6));
  EXPECT_THAT(values[1], ElementsAre(1, 1, 1));
  EXPECT_THAT(values[2], ElementsAre(10, 2, 6));
}

TEST(OnnxAttention, HeadsShareKeysInOrder) {
  OnnxBuilder builder(23);
  builder.Weights("q", {1, 1, 4}).Floats("k", {1, 1, 2}, {1, 1}).Floats("v", {1, 1, 2}, {3, 5});
  builder.Node("Attention", {"q", "k", "v"}, {"y"}).Int("q_num_heads", 4).Int("kv_num_heads", 2);
  EXPECT_THAT(FoldedY(builder), ElementsAre(3, 3, 5, 5));
}

TEST(OnnxAttention, RefusesContradictions) {
  OnnxBuilder heads(23);
  heads.Input("x", {"1", "3", "4", "8"}).Input("k", {"1", "2", "4", "8"});
  heads.Node("Attention", {"x", "k", "k"}, {"y"});
  EXPECT_THAT(Import(heads.Output("y")).text(), HasSubstr("3 query heads cannot share 2 key heads"));
  OnnxBuilder flat(23);
  flat.Input("x", {"1", "4", "8"}).Node("Attention", {"x", "x", "x"}, {"y"});
  EXPECT_THAT(Import(flat.Output("y")).text(), HasSubstr("q_num_heads"));
}

TEST(OnnxRotaryEmbedding, TurnsPairs) {
  const auto turned = [](int64_t interleaved) {
    OnnxBuilder builder(23);
    builder.Floats("x", {1, 1, 1, 4}, {1, 2, 3, 4}).Floats("cos", {1, 1, 2}, {0, 1});
    builder.Floats("sin", {1, 1, 2}, {1, 0});
    builder.Node("RotaryEmbedding", {"x", "cos", "sin"}, {"y"}).Int("interleaved", interleaved);
    return FoldedY(builder);
  };
  EXPECT_THAT(turned(0), ElementsAre(-3, 2, 1, 4));
  EXPECT_THAT(turned(1), ElementsAre(-2, 1, 3, 4));
}

TEST(OnnxLayerNormalization, GivesItsStatistics) {
  OnnxBuilder builder(17);
  builder.Floats("x", {1, 2}, {1, 5}).Floats("s", {2}, {1, 2}).Floats("b", {2}, {0, 1});
  builder.Node("LayerNormalization", {"x", "s", "b"}, {"y", "mean", "inverse"});
  const auto values = FoldedValues(builder.Output("y").Output("mean").Output("inverse"));
  ASSERT_EQ(values.size(), 3u);
  EXPECT_THAT(values[0], Pointwise(FloatNear(1e-4f), {-1, 3}));
  EXPECT_THAT(values[1], ElementsAre(3));
  EXPECT_THAT(values[2], ElementsAre(FloatNear(0.5f, 1e-5f)));
}

TEST(OnnxRmsNormalization, DividesByTheRootOfTheMeanSquare) {
  OnnxBuilder builder(23);
  builder.Floats("x", {1, 2}, {1, 7}).Floats("s", {2}, {1, 2});
  builder.Node("RMSNormalization", {"x", "s"}, {"y"}).Float("epsilon", 0);
  EXPECT_THAT(FoldedY(builder), Pointwise(FloatNear(1e-6f), {0.2f, 2.8f}));
}

// Item 0 of the batch from position 1, item 1 from position 2 and on at the start.
TEST(OnnxTensorScatter, WritesFromAPositionForEachItem) {
  OnnxBuilder builder(24);
  builder.Floats("c", {2, 3, 1}, {1, 2, 3, 4, 5, 6}).Floats("u", {2, 2, 1}, {7, 8, 9, 10});
  builder.Integers("i", {2}, {1, 2}).Node("TensorScatter", {"c", "u", "i"}, {"y"}).String("mode", "circular");
  EXPECT_THAT(FoldedY(builder), ElementsAre(1, 7, 8, 10, 5, 9));
}

// Weights of 4 bits: two blocks of 8, the zero point 8.
TEST(OnnxMatMulNBits, UnpacksItsWeights) {
  OnnxBuilder builder(17);
  builder.model.add_opset_import()->set_domain("com.microsoft");
  builder.model.mutable_opset_import(1)->set_version(1);
  ::onnx::TensorProto& w = *builder.graph().add_initializer();
  w.set_name("w");
  w.set_data_type(::onnx::TensorProto::UINT8);
  for (int64_t d : {1, 2, 4}) w.add_dims(d);
  w.set_raw_data(std::string("\x98\x88\x88\x88\x8a\x88\x88\x88", 8));
  builder.Weights("x", {2, 16}).Floats("s", {2}, {1, 10}).Node("MatMulNBits", {"x", "w", "s"}, {"y"});
  builder.Int("K", 16).Int("N", 1).Int("bits", 4).Int("block_size", 8);
  builder.graph().mutable_node(0)->set_domain("com.microsoft");
  // Row elements 1 and 8 count, once and twenty times.
  const auto x = [](int i) { return static_cast<float>(i % 8) / 8; };
  EXPECT_THAT(FoldedY(builder), ElementsAre(x(1) + 20 * x(8), x(17) + 20 * x(24)));
}

}  // namespace
}  // namespace micrort
