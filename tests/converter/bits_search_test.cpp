// --quant auto for size: which layers have how many bits.

#include "converter/quantize/bits_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/status_matchers.h"

namespace micrort::quantize {
namespace {

using micrort::testing::IsError;
using micrort::testing::IsOk;
using ::testing::HasSubstr;

// Layers whose bytes and losses add up: 4 bytes for each weight in float32.
class BitsSearchTest : public ::testing::Test {
 protected:
  struct Layer {
    int64_t weights;
    double half_loss, int8_loss, int4_loss;
  };

  Status Search(double max_loss) {
    BitsSearch search;
    for (const auto& [name, layer] : layers_) search.layers.push_back(name);
    search.types = {LayerType::kFloat32, LayerType::kFloat16, LayerType::kInt8Weights,
                    LayerType::kInt4Weights};
    search.fixed = fixed_;
    search.max_loss = max_loss;
    search.bytes = [this](const LayerTypes& types) {
      double bytes = 0;
      for (const auto& [name, layer] : layers_)
        bytes += static_cast<double>(layer.weights) * Of(types, name, 4.0, 2.0, 1.0, 0.5);
      return static_cast<int64_t>(bytes);
    };
    search.loss = search.rough_loss = [this](const LayerTypes& types, double* loss) {
      ++trials_;
      *loss = fixed_loss_;
      for (const auto& [name, layer] : layers_)
        *loss += Of(types, name, 0.0, layer.half_loss, layer.int8_loss, layer.int4_loss);
      return Status();
    };
    trials_ = 0;
    return SearchBits(search, &found_);
  }

  static double Of(const LayerTypes& types, const std::string& name, double f32, double f16, double i8,
                   double i4) {
    switch (types.at(name)) {
      case LayerType::kFloat16:
        return f16;
      case LayerType::kInt8Weights:
        return i8;
      case LayerType::kInt4Weights:
        return i4;
      default:
        return f32;
    }
  }

  LayerType TypeOf(const std::string& name) const { return found_.types.at(name); }

  std::map<std::string, Layer> layers_;
  LayerTypes fixed_;
  double fixed_loss_ = 0;
  FoundBits found_;
  int trials_ = 0;
};

TEST_F(BitsSearchTest, AllAreInFourBitsWhereThatLosesLittle) {
  layers_ = {{"a", {100, 0, 0.001, 0.01}}, {"b", {100, 0, 0.001, 0.02}}};
  ASSERT_THAT(Search(0.05), IsOk());
  EXPECT_EQ(TypeOf("a"), LayerType::kInt4Weights);
  EXPECT_EQ(TypeOf("b"), LayerType::kInt4Weights);
  EXPECT_EQ(found_.bytes, 100);
  EXPECT_NEAR(found_.loss, 0.03, 1e-9);
  EXPECT_LE(trials_, 4);  // no layer is weighed
}

TEST_F(BitsSearchTest, ThoseThatLoseMostForTheirBytesKeepEight) {
  layers_ = {{"large", {1000, 0, 0.001, 0.03}}, {"small", {10, 0, 0.001, 0.02}}, {"b", {100, 0, 0, 0.001}}};
  ASSERT_THAT(Search(0.04), IsOk());
  EXPECT_EQ(TypeOf("large"), LayerType::kInt4Weights);
  EXPECT_EQ(TypeOf("small"), LayerType::kInt8Weights);
  EXPECT_EQ(TypeOf("b"), LayerType::kInt4Weights);
  EXPECT_LE(found_.loss, 0.04);
}

// One layer that integers serve badly does not keep the others from having few bits.
TEST_F(BitsSearchTest, TypesMayBeMixed) {
  layers_ = {
      {"outliers", {10, 0.0001, 0.5, 0.9}}, {"a", {1000, 0, 0.0001, 0.005}}, {"b", {1000, 0, 0.0001, 1}}};
  ASSERT_THAT(Search(0.01), IsOk());
  EXPECT_EQ(TypeOf("outliers"), LayerType::kFloat16);
  EXPECT_EQ(TypeOf("a"), LayerType::kInt4Weights);
  EXPECT_EQ(TypeOf("b"), LayerType::kInt8Weights);
}

// Bisection stops at a layer that does not fit; smaller ones after it may.
TEST_F(BitsSearchTest, LaterLayersFillWhatIsLeft) {
  layers_ = {{"a", {1000, 0, 0, 0.01}}, {"b", {1000, 0, 0, 0.05}}, {"c", {10, 0, 0, 0.001}}};
  ASSERT_THAT(Search(0.02), IsOk());
  EXPECT_EQ(TypeOf("a"), LayerType::kInt4Weights);
  EXPECT_EQ(TypeOf("b"), LayerType::kInt8Weights);
  EXPECT_EQ(TypeOf("c"), LayerType::kInt4Weights);
}

TEST_F(BitsSearchTest, NothingMayBeLost) {
  layers_ = {{"a", {100, 0.001, 0.1, 0.2}}};
  ASSERT_THAT(Search(0), IsOk());
  EXPECT_EQ(TypeOf("a"), LayerType::kFloat32);
  EXPECT_EQ(found_.loss, 0);
}

TEST_F(BitsSearchTest, TypesThatTheUserChoseStayAndCountTheirLoss) {
  layers_ = {{"a", {100, 0.01, 0.02, 0.03}}, {"b", {100, 0.0001, 0.001, 0.002}}};
  fixed_ = {{"a", LayerType::kInt4Weights}};
  ASSERT_THAT(Search(0.035), IsOk());
  EXPECT_EQ(TypeOf("a"), LayerType::kInt4Weights);
  EXPECT_EQ(TypeOf("b"), LayerType::kInt4Weights);
  EXPECT_THAT(Search(0.01),
              IsError(StatusCode::kUnsupported, HasSubstr("--max-loss 0.01: with every layer")));
}

}  // namespace
}  // namespace micrort::quantize
