// mnnconvert --kv-cache and --kv-type with every kind of weights, packed for every kind of x86.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "kernels/base/target.h"
#include "tests/converter/decoder_step.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

constexpr int kLayerWidth = 32, kLayerHeads = 4, kLayerGroups = 2,
              kLayerHeadWidth = kLayerWidth / kLayerHeads, kLayerCapacity = 16;

// Attention over a cache, between layers with weights. window: how far it looks back; 0: as far as it goes.
OnnxBuilder DecoderLayer(int64_t window = 0) {
  OnnxBuilder b(23);
  b.Input("x", {"batch", "new", std::to_string(kLayerWidth)});
  for (const char* name : {"past_key", "past_value"})
    b.Input(name, {"batch", std::to_string(kLayerGroups), "past", std::to_string(kLayerHeadWidth)});
  b.Weights("wq", {kLayerWidth, kLayerWidth}).Weights("wk", {kLayerWidth, kLayerWidth / 2});
  b.Weights("wv", {kLayerWidth, kLayerWidth / 2}).Weights("wo", {kLayerWidth, kLayerWidth});
  b.Node("MatMul", {"x", "wq"}, {"q"}).Node("MatMul", {"x", "wk"}, {"k"}).Node("MatMul", {"x", "wv"}, {"v"});
  if (window == 0) {
    b.Node("Attention", {"q", "k", "v", "", "past_key", "past_value"},
           {"attended", "present_key", "present_value"});
    b.Int("is_causal", 1).Int("q_num_heads", kLayerHeads).Int("kv_num_heads", kLayerGroups);
  } else {
    // Which a cache that is kept has no need for.
    b.Integers("last", {1, 1}, {0}).Integers("total", {}, {1});
    b.Node("GroupQueryAttention", {"q", "k", "v", "past_key", "past_value", "last", "total"},
           {"attended", "present_key", "present_value"});
    OfMicrosoft(&b);
    b.Int("num_heads", kLayerHeads).Int("kv_num_heads", kLayerGroups).Int("local_window_size", window);
  }
  b.Node("MatMul", {"attended", "wo"}, {"y"});
  return b;
}

struct DecoderKind {
  const char* name;
  QuantMode quant;
  bool fp16_compute, fp16_activations, int8_compute;
  float tolerance;
};
constexpr DecoderKind kDecoderKinds[] = {
    {"Float", QuantMode::kNone, false, false, false, 1e-5f},
    {"Fp16", QuantMode::kFp16, false, false, false, 1e-5f},
    {"Fp16Compute", QuantMode::kFp16, true, false, false, 2e-3f},
    {"Fp16Activations", QuantMode::kFp16, false, true, false, 2e-3f},
    {"Int8Weights", QuantMode::kInt8Weights, false, false, false, 1e-5f},
    {"Int4Weights", QuantMode::kInt4Weights, false, false, false, 1e-5f},
    {"Int4WeightsInt8Compute", QuantMode::kInt4Weights, false, false, true, 1e-5f},
};
struct CacheKind {
  const char* name;
  DType type;
  float loss;  // of the largest output
};
constexpr CacheKind kCacheKinds[] = {
    {"F32", DType::kFloat32, 0}, {"F16", DType::kFloat16, 1e-3f}, {"Int8", DType::kInt8, 2e-2f}};
constexpr const char* kDecoderTargets[] = {"", "sse41", "avx2", "avx512", "avx512vnni"};

ConvertOptions DecoderOptions(const DecoderKind& kind) {
  ConvertOptions options;
  options.quant = kind.quant;
  options.fp16_compute = kind.fp16_compute;
  options.fp16_activations = kind.fp16_activations;
  options.int8_compute = kind.int8_compute;
  return options;
}

class KeptCachesOf : public ::testing::TestWithParam<std::tuple<DecoderKind, const char*, CacheKind>> {};

float Largest(const std::vector<float>& x) {
  float largest = 0;
  for (const float v : x) largest = std::max(largest, std::fabs(v));
  return largest;
}

TEST_P(KeptCachesOf, GiveWhatCachesAsInputsGive) {
  const auto& [kind, target, cache] = GetParam();
  ConvertOptions options = DecoderOptions(kind);
  options.target.name = target;
  ASSERT_TRUE(*target == 0 || ParseTarget(target, &options.target.features));
  DecoderStep plain(DecoderLayer(), options);
  options.kv_cache = kLayerCapacity;
  options.kv_type = cache.type;
  DecoderStep keeping(DecoderLayer(), options);
  EXPECT_EQ(keeping.interpreter().input_count(), 1u);
  EXPECT_EQ(keeping.interpreter().state(1).dtype, cache.type);
  EXPECT_EQ(keeping.converted().Count(schema::OpCode::ReadCache), 0);
  Random random(3);
  StepInputs values;
  values["past_key"] = values["past_value"] = Array<float>({1, kLayerGroups, 0, kLayerHeadWidth}, {});
  for (const int64_t count : {4, 1, 1, 2, 1}) {
    std::vector<float> x(static_cast<size_t>(count * kLayerWidth));
    random.Fill(x, -0.05f, 0.05f);  // scores of any size would let one key win
    values["x"] = Array<float>({1, count, kLayerWidth}, x);
    const std::vector<float> expected = plain.Run(values), found = keeping.Run(values);
    const float tolerance = kind.tolerance + cache.loss * Largest(expected);
    EXPECT_THAT(found, ::testing::Pointwise(::testing::FloatNear(tolerance), expected));
    values["past_key"] = plain.Output(1);
    values["past_value"] = plain.Output(2);
  }
}

TEST_P(KeptCachesOf, GiveTheSameAsRings) {
  const auto& [kind, target, cache] = GetParam();
  constexpr int64_t kWindow = 5, kMostRows = 4, kRingRows = 8;
  ConvertOptions options = DecoderOptions(kind);
  options.target.name = target;
  ASSERT_TRUE(*target == 0 || ParseTarget(target, &options.target.features));
  options.kv_cache = kLayerCapacity;
  options.kv_type = cache.type;
  DecoderStep keeping(DecoderLayer(kWindow), options);
  options.kv_chunk = kMostRows;
  DecoderStep ring(DecoderLayer(kWindow), options);
  EXPECT_EQ(keeping.interpreter().state(1).shape[1], kLayerCapacity);
  EXPECT_EQ(ring.interpreter().state(1).shape[1], kRingRows);
  Random random(3);
  for (const int64_t count : {4, 1, 1, 2, 1, 3, 1, 1, 2}) {
    std::vector<float> x(static_cast<size_t>(count * kLayerWidth));
    random.Fill(x, -0.05f, 0.05f);
    const StepInputs values = {{"x", Array<float>({1, count, kLayerWidth}, x)}};
    const std::vector<float> expected = keeping.Run(values);
    const float tolerance = kind.tolerance * std::max(1.0f, Largest(expected));
    EXPECT_THAT(ring.Run(values), ::testing::Pointwise(::testing::FloatNear(tolerance), expected));
  }
}

std::string NameOf(const ::testing::TestParamInfo<KeptCachesOf::ParamType>& info) {
  const auto& [kind, target, cache] = info.param;
  return std::string(kind.name) + (*target == 0 ? "" : "_") + target + "_" + cache.name;
}

INSTANTIATE_TEST_SUITE_P(Weights, KeptCachesOf,
                         ::testing::Combine(::testing::ValuesIn(kDecoderKinds),
                                            ::testing::ValuesIn(kDecoderTargets),
                                            ::testing::ValuesIn(kCacheKinds)),
                         NameOf);

}  // namespace
}  // namespace micrort::testing
