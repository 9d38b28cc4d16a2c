// --quant auto: which layers leave int8.

#include "converter/quantize/type_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/quantize/quantized_weights.h"
#include "converter/quantize/weight_memo.h"
#include "tests/status_matchers.h"

namespace micrort::quantize {
namespace {

using micrort::testing::IsError;
using micrort::testing::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Layers whose times and losses add up.
class TypeSearchTest : public ::testing::Test {
 protected:
  struct Layer {
    double int8_time, float_time, loss;
    double wide_time = 0, wide_loss = 0;  // in int16x8; no such form: 0
  };

  Status Search(double max_loss) {
    TypeSearch search;
    for (const auto& [name, layer] : layers_) {
      search.layers.push_back(name);
      if (layer.wide_time > 0) search.wide.insert(name);
    }
    search.integers_only = integers_only_;
    search.fixed = fixed_;
    search.max_loss = max_loss;
    search.time = [this](const LayerTypes& types, double* microseconds) {
      *microseconds = 0;
      for (const auto& [name, layer] : layers_)
        *microseconds += OfType(types, name, layer.int8_time, layer.wide_time, layer.float_time);
      return Status();
    };
    search.loss = [this](const LayerTypes& types, double* loss) {
      *loss = 0;
      for (const auto& [name, layer] : layers_) *loss += OfType(types, name, layer.loss, layer.wide_loss, 0);
      return Status();
    };
    return SearchTypes(search, &found_);
  }

  static double OfType(const LayerTypes& types, const std::string& name, double int8, double wide,
                       double in_float) {
    const auto it = types.find(name);
    return it == types.end() ? int8 : it->second == LayerType::kInt16x8 ? wide : in_float;
  }

  std::map<std::string, Layer> layers_;
  bool integers_only_ = false;
  LayerTypes fixed_;
  FoundTypes found_;
};

TEST_F(TypeSearchTest, KeepsWhatGainsInInt8) {
  layers_ = {{"a", {1, 2, 0.01}}, {"b", {1, 2, 0.02}}};
  ASSERT_THAT(Search(0.1), IsOk());
  EXPECT_THAT(found_.types, IsEmpty());
  EXPECT_NEAR(found_.loss, 0.03, 1e-9);
}

TEST_F(TypeSearchTest, NeverQuantizesWhatIsSlowerInInt8) {
  layers_ = {{"a", {1, 2, 0}}, {"b", {3, 2, 0}}};
  ASSERT_THAT(Search(1), IsOk());
  EXPECT_THAT(found_.slow, ElementsAre("b"));
  EXPECT_EQ(found_.types.at("b"), LayerType::kFloat16);
  EXPECT_DOUBLE_EQ(found_.microseconds, 3);
}

// On a device without layers of floats.
TEST_F(TypeSearchTest, TakesFloatOnlyWhereNoIntegersWillDo) {
  integers_only_ = true;
  layers_ = {{"slow", {9, 1, 0}}, {"wide", {1, 1, 0.2, 4, 0.01}}, {"no wide form", {1, 1, 0.3}}};
  ASSERT_THAT(Search(0.05), IsOk());
  EXPECT_EQ(found_.types, (LayerTypes{{"wide", LayerType::kInt16x8}, {"no wide form", LayerType::kFloat16}}));
  EXPECT_THAT(found_.slow, IsEmpty());
  EXPECT_THAT(Search(0.005), IsError(StatusCode::kUnsupported, HasSubstr("in int16x8 or float the loss")));
}

TEST_F(TypeSearchTest, TakesInt16WhereItIsEnough) {
  layers_ = {{"a", {1, 10, 0.2, 2, 0.01}}, {"b", {1, 10, 0.3}}};
  ASSERT_THAT(Search(0.05), IsOk());
  EXPECT_EQ(found_.types.at("a"), LayerType::kInt16x8);
  EXPECT_EQ(found_.types.at("b"), LayerType::kFloat16);
  EXPECT_THAT(found_.wide, ElementsAre("a"));
  EXPECT_THAT(found_.harmful, ElementsAre("b"));
  EXPECT_NEAR(found_.loss, 0.01, 1e-9);
  EXPECT_DOUBLE_EQ(found_.microseconds, 12);
}

TEST_F(TypeSearchTest, TakesFloatWhereInt16IsNotEnough) {
  layers_ = {{"a", {1, 10, 0.2, 2, 0.1}}};
  ASSERT_THAT(Search(0.05), IsOk());
  EXPECT_EQ(found_.types.at("a"), LayerType::kFloat16);
  EXPECT_THAT(found_.wide, IsEmpty());
  EXPECT_THAT(found_.harmful, ElementsAre("a"));
}

TEST_F(TypeSearchTest, TakesAwayMostLossForTheTime) {
  layers_ = {{"cheap", {1, 2, 0.2}}, {"costly", {1, 20, 0.2}}, {"harmless", {1, 2, 0.01}}};
  ASSERT_THAT(Search(0.25), IsOk());
  EXPECT_THAT(found_.harmful, ElementsAre("cheap"));
  EXPECT_NEAR(found_.loss, 0.21, 1e-9);
}

TEST_F(TypeSearchTest, LeavesTypesThatTheUserChose) {
  layers_ = {{"a", {1, 2, 0.5}}, {"b", {1, 2, 0.5}}};
  fixed_ = {{"a", LayerType::kFloat32}};
  ASSERT_THAT(Search(0.6), IsOk());
  EXPECT_EQ(found_.types.size(), 1u);
  EXPECT_EQ(found_.types.at("a"), LayerType::kFloat32);
}

TEST_F(TypeSearchTest, SaysWhenTheBudgetCannotBeKept) {
  layers_ = {{"a", {1, 2, 0.5}}};
  EXPECT_THAT(Search(-1), IsError(StatusCode::kUnsupported, HasSubstr("--max-loss -1")));
}

// A constant of two channels.
ir::Value MemoWeights(const std::vector<float>& elements) {
  ir::Graph graph;
  const ir::ValueId id = graph.AddConstantOf("w", {2, static_cast<int64_t>(elements.size()) / 2}, elements);
  return graph.value(id);
}

TEST(WeightMemo, QuantizesWeightsOfTheSameDataOnce) {
  WeightMemo memo;
  const ir::Value w = MemoWeights({1, -2, 3, 4}), same = w, other = MemoWeights({1, -2, 3, 4});
  int made = 0;
  const auto scales = [&] {
    ++made;
    return SymmetricScales(LargestPerChannel(w, 0));
  };
  const std::vector<float> first = memo.Scales(w, 0, scales);
  EXPECT_EQ(memo.Scales(same, 0, scales), first);
  EXPECT_EQ(made, 1);
  memo.Scales(w, 1, scales);
  memo.Scales(other, 0, scales);
  EXPECT_EQ(made, 3);
}

TEST(WeightMemo, KeepsIntegersOfEachScale) {
  WeightMemo memo;
  const ir::Value w = MemoWeights({1, -2, 3, 4});
  int made = 0;
  const auto quantized = [&](bool is_static, const std::vector<float>& scales) {
    return memo.Quantized(w, 0, is_static, scales, [&]() -> WeightMemo::Integers {
      ++made;
      return {scales, QuantizePerChannel(w, 0, scales), {}};
    });
  };
  const ir::Value narrow = quantized(true, {0.1f, 0.1f}).value, wide = quantized(true, {1.0f, 1.0f}).value;
  EXPECT_EQ(made, 2);
  EXPECT_EQ(quantized(true, {0.1f, 0.1f}).value.data, narrow.data);
  EXPECT_EQ(quantized(true, {1.0f, 1.0f}).value.data, wide.data);
  EXPECT_EQ(made, 2);
  quantized(false, {0.1f, 0.1f});
  EXPECT_EQ(made, 3);
}

TEST(WeightScales, AreTheSameWithAMemo) {
  const ir::Value w = MemoWeights({1, -2, 3, 4});
  for (const bool least_squares : {false, true}) {
    PtqCorrection correction;
    correction.weight_ranges = least_squares;
    const std::vector<float> plain = WeightScales(w, 0, correction);
    WeightMemo fresh;
    correction.memo = &fresh;
    EXPECT_EQ(WeightScales(w, 0, correction), plain);
    EXPECT_EQ(WeightScales(w, 0, correction), plain);
  }
}

}  // namespace
}  // namespace micrort::quantize
