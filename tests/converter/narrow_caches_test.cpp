// mnnconvert --kv-type: caches that hold halves or int8.

#include "converter/ir/narrow_caches.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "converter/emit/build_model.h"
#include "converter/report/summary_json.h"
#include "tests/converter/decoder_rows.h"

namespace micrort::testing::narrow_caches {
namespace {

using ::testing::Contains;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

using decoder::kCapacity;
using decoder::kGroups;
using decoder::kHeads;
using decoder::kWidth;
using decoder::NewRows;

ConvertOptions WithCaches(DType type) {
  ConvertOptions options;
  options.kv_cache = kCapacity;
  options.kv_type = type;
  return options;
}

// Attention that the operator computes, or, where the scores are an output, too, the source's own softmax
// over the cache.
OnnxBuilder AttentionOver(bool gives_scores) {
  OnnxBuilder b = decoder::Operands(23);
  std::vector<std::string> outputs = {"y", "present_key", "present_value"};
  if (gives_scores) outputs.emplace_back("scores");
  b.Node("Attention", {"q", "k", "v", "", "past_key", "past_value"}, outputs);
  b.Int("is_causal", 1).Int("q_num_heads", kHeads).Int("kv_num_heads", kGroups);
  return b;
}

struct Kind {
  DType type;
  float tolerance;
  size_t row_bytes;  // of a head
};
constexpr Kind kKinds[] = {{DType::kFloat16, 1e-3f, kWidth * sizeof(uint16_t)},
                           {DType::kInt8, 2e-2f, kWidth + sizeof(float)}};

TEST(NarrowCaches, GiveAboutWhatFloatsGive) {
  for (const Kind& kind : kKinds) {
    for (const bool gives_scores : {false, true}) {
      SCOPED_TRACE(::testing::Message() << Name(kind.type) << " scores " << gives_scores);
      DecoderStep floats(AttentionOver(gives_scores), WithCaches(DType::kFloat32)),
          narrow(AttentionOver(gives_scores), WithCaches(kind.type));
      EXPECT_EQ(narrow.converted().Count(schema::OpCode::Append), 2);
      EXPECT_EQ(narrow.converted().Count(schema::OpCode::ReadCache), gives_scores ? 2 : 0);
      EXPECT_EQ(schema::GetModel(narrow.converted().result().file.data())->schema_version(),
                emit::kSchemaVersionOfNarrowCaches);
      Random random(4);
      for (const int64_t count : {9, 1, 1, 3, 1}) {
        const StepInputs rows = NewRows(count, random);
        EXPECT_THAT(narrow.Run(rows), Pointwise(FloatNear(kind.tolerance), floats.Run(rows)));
      }
    }
  }
}

TEST(NarrowCaches, AreTruncatedSavedAndRestored) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(Name(kind.type));
    DecoderStep decoder(AttentionOver(false), WithCaches(kind.type));
    Random random(2);
    std::vector<StepInputs> steps;
    for (int i = 0; i < 8; ++i) steps.push_back(NewRows(1, random));
    std::vector<std::vector<float>> expected;
    std::vector<uint8_t> saved;
    for (size_t i = 0; i < 8; ++i) {
      if (i == 5) {
        saved.resize(decoder.interpreter().StateBytes());
        EXPECT_THAT(decoder.interpreter().SaveState(saved.data(), saved.size()), IsOk());
      }
      expected.push_back(decoder.Run(steps[i]));
    }
    EXPECT_EQ(saved.size(), sizeof(int64_t) + 5 * 2 * kGroups * kind.row_bytes);
    EXPECT_THAT(decoder.interpreter().TruncateState(3), IsOk());
    for (size_t i = 3; i < 8; ++i) EXPECT_EQ(decoder.Run(steps[i]), expected[i]) << i;
    DecoderStep other(AttentionOver(false), WithCaches(kind.type));
    EXPECT_THAT(other.interpreter().RestoreState(saved.data(), saved.size()), IsOk());
    for (size_t i = 5; i < 8; ++i) EXPECT_EQ(other.Run(steps[i]), expected[i]) << i;
  }
}

TEST(NarrowCaches, AreCountedAndComparedWithFloats) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(Name(kind.type));
    ConvertOptions options = WithCaches(kind.type);
    options.verify = VerifyMode::kLayers;
    OnnxBuilder builder = AttentionOver(3);
    Converted model(builder, {"y", "present_key", "present_value"}, options);
    ASSERT_THAT(model.status(), IsOk());
    const report::Summary& summary = model.result().summary;
    EXPECT_EQ(summary.cache_bytes, 2u * kCapacity * kGroups * kind.row_bytes);
    EXPECT_EQ(summary.cache_type, Name(kind.type));
    EXPECT_THAT(report::SummaryText(summary),
                HasSubstr(std::string(" bytes of ") + Name(kind.type) + ", in"));
    const auto json = nlohmann::json::parse(report::ToJson(summary, {}, {}));
    EXPECT_EQ(json["cache_bytes"], summary.cache_bytes);
    EXPECT_EQ(json["cache_type"], Name(kind.type));
    ASSERT_FALSE(model.result().verification.empty());
    const double snr = model.result().verification.back().similarity.Snr();
    EXPECT_GT(snr, kind.type == DType::kFloat16 ? 55 : 30);
    EXPECT_LT(snr, 100);  // the reference has caches of floats
  }
}

// y = the sum of all rows so far, of `width` numbers each.
OnnxBuilder SumOfRows(const std::string& width) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "1", "new", width}).Input("past_0", {"batch", "1", "past", width});
  builder.Node("Concat", {"past_0", "x"}, {"present_0"}).Int("axis", 2);
  builder.Integers("axes", {1}, {2});
  builder.Node("ReduceSum", {"present_0", "axes"}, {"y"}).Int("keepdims", 0);
  return builder;
}

TEST(NarrowCaches, OfOtherReadersAreReadAsFloats) {
  for (const Kind& kind : kKinds) {
    OnnxBuilder builder = SumOfRows("2");
    Converted model(builder, {"y", "present_0"}, WithCaches(kind.type));
    ASSERT_THAT(model.status(), IsOk());
    EXPECT_EQ(model.Count(schema::OpCode::ReadCache), 1);
    EXPECT_EQ(model.Run({Array<float>({1, 1, 2, 2}, {127, 2, 3, 127})}), "1x1x2: 130 129");
    EXPECT_EQ(model.Run({Array<float>({1, 1, 1, 2}, {1, 127})}), "1x1x2: 131 256");
  }
}

// A number beside its scale takes more than a float.
TEST(NarrowCaches, ThatWouldBeNoSmallerStayFloats) {
  OnnxBuilder builder = SumOfRows("1");
  Converted model(builder, {"y", "present_0"}, WithCaches(DType::kInt8));
  ASSERT_THAT(model.status(), IsOk());
  EXPECT_THAT(model.result().notes, Contains("--kv-type: not smaller so, and float32 as before: 'past_0'"));
  EXPECT_EQ(model.result().summary.cache_type, "float32");
  EXPECT_EQ(model.Count(schema::OpCode::ReadCache), 0);
  EXPECT_EQ(model.Run({Array<float>({1, 1, 2, 1}, {0.3f, 100})}), "1x1x1: 100.3");
}

}  // namespace
}  // namespace micrort::testing::narrow_caches
