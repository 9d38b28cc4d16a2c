// mnnconvert --kv-cache: caches of attention with a window, as rings.

#include "converter/ir/ring_caches.h"

#include <gmock/gmock.h>

#include "converter/emit/build_model.h"
#include "tests/converter/decoder_rows.h"

namespace micrort::testing::decoder {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr int64_t kWindow = 5;
const std::vector<std::string> kOutputs = {"y", "present_key", "present_value"};

// Without positions that end.
OnnxBuilder Unrotated(int64_t window) {
  OnnxBuilder b = Operands(17);
  // Which a cache that is kept has no need for.
  b.Integers("last", {1, 1}, {0}).Integers("total", {}, {1});
  b.Node("GroupQueryAttention", {"q", "k", "v", "past_key", "past_value", "last", "total"}, kOutputs);
  OfMicrosoft(&b);
  b.Int("num_heads", kHeads).Int("kv_num_heads", kGroups).Int("local_window_size", window);
  return b;
}

TEST(RingCaches, OfGroupQueryAttentionAreTheSame) {
  ExpectSameWithRings(OfGroupQueryAttention(kWindow), kWindow);
  ExpectSameWithRings(OfGroupQueryAttention(kWindow), kWindow, DType::kFloat16, 2e-3f);
  ExpectSameWithRings(OfGroupQueryAttention(kWindow), kWindow, DType::kInt8, 3e-2f);
}

// In whole blocks, sums are those over a cache of all rows.
TEST(RingCaches, GiveTheBitsOfCachesOfAllRows) {
  for (const DType type : {DType::kFloat32, DType::kFloat16, DType::kInt8}) {
    ConvertOptions options = WithCaches(300);
    options.kv_type = type;
    const OnnxBuilder source = Unrotated(61);
    DecoderStep all(source, options);
    options.kv_chunk = 5;
    DecoderStep ring(source, options);
    EXPECT_EQ(all.interpreter().state(1).shape[1], 300);
    EXPECT_EQ(ring.interpreter().state(1).shape[1], 128);
    Random random(1);
    for (int64_t total = 0, count = 1; total + count <= 300; count = count % 3 + 1) {
      const StepInputs rows = NewRows(count, random);
      ASSERT_EQ(ring.Run(rows), all.Run(rows)) << total;
      total += count;
    }
  }
}

TEST(RingCaches, HaveRowsForTheWindowAndARun) {
  EXPECT_EQ(ir::RingRows(5, 3), 8);
  EXPECT_EQ(ir::RingRows(5, 5), 16);
  EXPECT_EQ(ir::RingRows(1, 1), 8);
  EXPECT_EQ(ir::RingRows(64, 1), 64);
  EXPECT_EQ(ir::RingRows(512, 1), 512);
  EXPECT_EQ(ir::RingRows(512, 128), 640);
}

TEST(RingCaches, AreReported) {
  OnnxBuilder source = OfGroupQueryAttention(kWindow);
  Converted model(source, kOutputs, WithRings(kWindow));
  ASSERT_THAT(model.status(), IsOk());
  EXPECT_EQ(schema::GetModel(model.result().file.data())->schema_version(), emit::kSchemaVersionOfWindows);
  EXPECT_EQ(model.result().summary.cache_bytes, 2u * kRingRows * kGroups * kWidth * sizeof(float));
  EXPECT_THAT(model.result().notes,
              Contains("--kv-cache: rings of 8 rows, of which attention sees 5, and a run appends at most 4: "
                       "'past_key', 'past_value'"));
}

// Models whose runs append one number of tokens need no flag.
TEST(RingCaches, FollowFromAFixedNumberOfTokens) {
  ConvertOptions options = WithCaches(kRingRoom);
  for (const char* name : {"q", "k", "v"}) {
    const int heads = name[0] == 'q' ? kHeads : kGroups;
    options.input_shapes.push_back({name, {1, 1, heads * kWidth}});
  }
  for (const OnnxBuilder& builder : {OfGroupQueryAttention(kWindow), Unrotated(kWindow)}) {
    OnnxBuilder source = builder;
    Converted model(source, kOutputs, options);
    ASSERT_THAT(model.status(), IsOk());
    EXPECT_EQ(model.result().summary.cache_bytes, 2u * kRingRows * kGroups * kWidth * sizeof(float));
  }
}

TEST(RingCaches, AreNoneWhereARunMayAppendMore) {
  struct Case {
    OnnxBuilder source;
    int64_t chunk;  // 0: not given
    const char* note;
  };
  const Case cases[] = {
      {OfGroupQueryAttention(kWindow), 0,
       "--kv-cache: attention sees 5 tokens at most; if runs append at most N"},
      {OfGroupQueryAttention(kWindow), kRingRoom, "--kv-chunk: no cache is smaller so"},
      {OfGroupQueryAttention(kRingRoom), 1, "--kv-chunk: no cache is smaller so"},
      {OfGroupQueryAttention(), 1, "--kv-chunk: no cache is smaller so"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    ConvertOptions options = WithCaches(kRingRoom);
    if (c.chunk != 0) options.kv_chunk = c.chunk;
    OnnxBuilder source = c.source;
    Converted model(source, kOutputs, options);
    ASSERT_THAT(model.status(), IsOk());
    EXPECT_EQ(model.result().summary.cache_bytes, 2u * kRingRoom * kGroups * kWidth * sizeof(float));
    EXPECT_THAT(model.result().notes, Contains(HasSubstr(c.note)));
  }
}

// Another reader sees all rows, so that they stay.
TEST(RingCaches, AreReadByAttentionAlone) {
  OnnxBuilder source = OfGroupQueryAttention(kWindow);
  source.Integers("count_axis", {1}, {2});
  source.Node("ReduceSum", {"present_key", "count_axis"}, {"row_sum"});
  Converted model(source, {"y", "present_key", "present_value", "row_sum"}, WithRings(kWindow));
  ASSERT_THAT(model.status(), IsOk());
  EXPECT_EQ(model.result().summary.cache_bytes, 2u * kRingRoom * kGroups * kWidth * sizeof(float));
  EXPECT_THAT(model.result().notes, Contains(HasSubstr("--kv-chunk: no cache is smaller so")));
}

TEST(RingCaches, GoOnFromWhatWasSavedAndGoBack) {
  for (const DType type : {DType::kFloat32, DType::kFloat16, DType::kInt8}) {
    SCOPED_TRACE(Name(type));
    DecoderStep decoder(OfGroupQueryAttention(kWindow), WithRings(kWindow, type));
    Random random(2);
    std::vector<StepInputs> steps;
    for (int i = 0; i < 30; ++i) steps.push_back(NewRows(1, random));
    std::vector<std::vector<float>> expected;
    std::vector<uint8_t> saved;
    for (size_t i = 0; i < 24; ++i) {
      if (i == 21) {
        saved.resize(decoder.interpreter().StateBytes());
        EXPECT_THAT(decoder.interpreter().SaveState(saved.data(), saved.size()), IsOk());
      }
      expected.push_back(decoder.Run(steps[i]));
    }
    EXPECT_THAT(decoder.interpreter().TruncateState(19),
                IsError(StatusCode::kInvalidArgument, HasSubstr("state 'past_key': its ring of 8 rows has")));
    EXPECT_THAT(decoder.interpreter().TruncateState(20), IsOk());
    for (size_t i = 20; i < 24; ++i) EXPECT_EQ(decoder.Run(steps[i]), expected[i]) << i;
    for (size_t i = 24; i < 30; ++i) expected.push_back(decoder.Run(steps[i]));
    DecoderStep other(OfGroupQueryAttention(kWindow), WithRings(kWindow, type));
    EXPECT_THAT(other.interpreter().RestoreState(saved.data(), saved.size()), IsOk());
    for (size_t i = 21; i < 30; ++i) EXPECT_EQ(other.Run(steps[i]), expected[i]) << i;
  }
}

TEST(RingCaches, AreVerified) {
  ConvertOptions options = WithRings(kWindow);
  options.verify = VerifyMode::kLayers;
  for (const OnnxBuilder& builder : {OfGroupQueryAttention(kWindow), Unrotated(kWindow)}) {
    OnnxBuilder source = builder;
    Converted model(source, kOutputs, options);
    ASSERT_THAT(model.status(), IsOk());
    ASSERT_FALSE(model.result().verification.empty());
    EXPECT_GT(model.result().verification.back().similarity.Snr(), 100);
  }
}

}  // namespace
}  // namespace micrort::testing::decoder
