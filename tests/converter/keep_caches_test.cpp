// mnnconvert --kv-cache: caches of decoders that the interpreter keeps.

#include "converter/ir/keep_caches.h"

#include <gmock/gmock.h>

#include "tests/converter/decoder_rows.h"

namespace micrort::testing::decoder {
namespace {

using ::testing::HasSubstr;

// y = the sum of all rows so far.
OnnxBuilder SumOfRows() {
  OnnxBuilder builder;
  builder.Input("x", {"1", "1", "new", "2"}).Input("past_0", {"batch", "1", "past", "2"});
  builder.Node("Concat", {"past_0", "x"}, {"present_0"}).Int("axis", 2);
  builder.Integers("axes", {1}, {2});
  builder.Node("ReduceSum", {"present_0", "axes"}, {"y"}).Int("keepdims", 0);
  return builder;
}

TEST(KeepCaches, ArePastAndPresent) {
  OnnxBuilder builder = SumOfRows();
  Converted model(builder, {"y", "present_0"}, WithCaches(4));
  ASSERT_THAT(model.status(), IsOk());
  EXPECT_EQ(model.model().input_count(), 1u);
  EXPECT_EQ(model.Count(schema::OpCode::Append), 1);
  EXPECT_EQ(model.Run({Array<float>({1, 1, 2, 2}, {1, 2, 3, 4})}), "1x1x2: 4 6");
  EXPECT_EQ(model.Run({Array<float>({1, 1, 1, 2}, {10, 20})}), "1x1x2: 14 26");
  EXPECT_EQ(model.Run({Array<float>({1, 1, 1, 2}, {100, 200})}), "1x1x2: 114 226");
  EXPECT_THAT(model.Run({Array<float>({1, 1, 1, 2}, {1, 1})}), HasSubstr("4 are taken, and 1 more"));
  EXPECT_THAT(model.Run({Array<float>({1, 1, 5, 2}, std::vector<float>(10))}),
              HasSubstr("5 more do not fit"));
}

// y = the sum of all rows so far, where the mask of all tokens says so.
TEST(KeepCaches, AreSeenAsAWhole) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "new", "1"}).Input("past_0", {"1", "past", "1"});
  builder.Input("attention_mask", {"1", "all"}, ::onnx::TensorProto::INT64);
  builder.Node("Concat", {"past_0", "x"}, {"present_0"}).Int("axis", 1);
  builder.Node("Cast", {"attention_mask"}, {"mask"}).Int("to", 1).Integers("axes", {1}, {1});
  builder.Node("Unsqueeze", {"mask", "axes"}, {"row"}).Node("MatMul", {"row", "present_0"}, {"y"});
  Converted model(builder, {"y", "present_0"}, WithCaches(8));
  ASSERT_THAT(model.status(), IsOk());
  EXPECT_EQ(model.model().input_count(), 1u);
  EXPECT_EQ(model.Run({Array<float>({1, 2, 1}, {1, 2})}), "1x1x1: 3");
  EXPECT_EQ(model.Run({Array<float>({1, 1, 1}, {4})}), "1x1x1: 7");
  EXPECT_EQ(model.Run({Array<float>({1, 1, 1}, {8})}), "1x1x1: 15");
}

TEST(KeepCaches, StayInputsWithoutTheFlag) {
  OnnxBuilder builder = SumOfRows();
  Converted model(builder, {"y", "present_0"});
  EXPECT_EQ(model.model().input_count(), 2u);
  EXPECT_EQ(model.Count(schema::OpCode::Append), 0);
}

TEST(KeepCaches, RefusesWhatHasNone) {
  OnnxBuilder none = OneRelu();
  EXPECT_THAT(
      Converted(none, {}, WithCaches(4)).status(),
      IsError(StatusCode::kUnsupported, HasSubstr("--kv-cache: expected an input that a Concat joins")));
  OnnxBuilder elsewhere = SumOfRows();
  elsewhere.Node("Neg", {"past_0"}, {"negated"});
  EXPECT_THAT(Converted(elsewhere, {"y", "present_0", "negated"}, WithCaches(4)).status(),
              IsError(StatusCode::kUnsupported, HasSubstr("'past_0' is also read by node")));
  OnnxBuilder uneven = SumOfRows();
  uneven.Input("z", {"1", "1", "other", "2"}).Input("past_1", {"1", "1", "past1", "2"});
  uneven.Node("Concat", {"past_1", "z"}, {"present_1"}).Int("axis", 2);
  EXPECT_THAT(Converted(uneven, {"y", "present_0", "present_1"}, WithCaches(4)).status(),
              IsError(StatusCode::kUnsupported, HasSubstr("'past_1' and 'past_0' do not grow alike")));
}

OnnxBuilder OfAttention() {
  OnnxBuilder b = Operands(23);
  b.Node("Attention", {"q", "k", "v", "", "past_key", "past_value"}, {"y", "present_key", "present_value"});
  b.Int("is_causal", 1).Int("q_num_heads", kHeads).Int("kv_num_heads", kGroups);
  return b;
}

TEST(KeepCaches, OfAttentionAreTheSame) { ExpectSameWithCaches(OfAttention()); }
TEST(KeepCaches, OfGroupQueryAttentionAreTheSame) { ExpectSameWithCaches(OfGroupQueryAttention()); }
TEST(KeepCaches, OfWindowsAreTheSame) { ExpectSameWithCaches(OfGroupQueryAttention(4)); }

TEST(KeepCaches, AreReadInPlace) {
  DecoderStep decoder(OfGroupQueryAttention(), WithCaches(kCapacity));
  EXPECT_EQ(decoder.converted().Count(schema::OpCode::Attention), 1);
  EXPECT_EQ(decoder.converted().Count(schema::OpCode::Append), 2);
  EXPECT_EQ(decoder.converted().Count(schema::OpCode::Softmax), 0);
  EXPECT_EQ(decoder.converted().Count(schema::OpCode::GatherND), 0);
}

TEST(KeepCaches, GoOnFromWhatWasSaved) {
  DecoderStep decoder(OfGroupQueryAttention(), WithCaches(kCapacity));
  Random random(2);
  std::vector<StepInputs> steps;
  for (int i = 0; i < 8; ++i) steps.push_back(NewRows(1, random));
  std::vector<std::vector<float>> expected;
  std::vector<uint8_t> saved;
  for (int i = 0; i < 8; ++i) {
    if (i == 5) {
      saved.resize(decoder.interpreter().StateBytes());
      EXPECT_THAT(decoder.interpreter().SaveState(saved.data(), saved.size()), IsOk());
    }
    expected.push_back(decoder.Run(steps[static_cast<size_t>(i)]));
  }
  EXPECT_EQ(saved.size(), sizeof(int64_t) + 5 * 2 * kGroups * kWidth * sizeof(float));
  EXPECT_THAT(decoder.interpreter().TruncateState(3), IsOk());
  for (size_t i = 3; i < 8; ++i) EXPECT_EQ(decoder.Run(steps[i]), expected[i]) << i;
  DecoderStep other(OfGroupQueryAttention(), WithCaches(kCapacity));
  EXPECT_THAT(other.interpreter().RestoreState(saved.data(), saved.size()), IsOk());
  for (size_t i = 5; i < 8; ++i) EXPECT_EQ(other.Run(steps[i]), expected[i]) << i;
}

}  // namespace
}  // namespace micrort::testing::decoder
