// Winograd's algorithm in half precision.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/base/half.h"
#include "kernels/conv2d/algorithm_variants.h"
#include "kernels/winograd/half_winograd.h"
#include "tests/kernels/half_conv_case.h"

namespace micrort::testing {
namespace {

const Conv2DAlgorithm* Winograd() { return FindAlgorithm(Conv2DAlgorithmId::kWinograd2F16); }

const ConvShape kWinogradShapes[] = {
    {1, 1, 1, 1, 1, 3, 1, 1, 1},  // padding alone around it
    {1, 3, 3, 8, 32, 3, 1, 1, 0},
    {2, 5, 9, 3, 5, 3, 1, 1, 1},     // channels that fill no vector
    {1, 13, 8, 24, 35, 3, 1, 1, 1},  // tiles that end outside the image
    {1, 2, 15, 17, 5, 3, 1, 1, 2},
    {1, 6, 7, 129, 33, 3, 1, 1, 1},  // one product over a whole sum of halves
    {2, 5, 4, 256, 40, 3, 1, 1, 1},
    {1, 4, 6, 300, 20, 3, 1, 1, 1},   // three sums
    {1, 26, 25, 40, 32, 3, 1, 1, 0},  // several blocks of tiles
    {0, 6, 7, 9, 5, 3, 1, 1, 1},      // no image
};

class WinogradF16Test : public ::testing::TestWithParam<ConvShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, WinogradF16Test, ::testing::ValuesIn(kWinogradShapes));

// What errors are shares of, for each output: sums of absolute values of what is transformed, of its products
// at all points, of bias and residual.
class Magnitudes {
 public:
  explicit Magnitudes(const HalfConvCase& c) : floats_(c.floats), p_(c.floats.p) {}

  std::vector<float> OfAll() const {
    std::vector<Plane> filters;
    for (int64_t column = 0; column < p_.out_c; ++column) {
      for (int64_t c = 0; c < p_.in_c; ++c) filters.push_back(Filter(column, c));
    }
    std::vector<float> all(floats_.residual.size());
    for (int64_t image = 0; image < p_.batch; ++image) {
      for (int64_t y = 0; y < p_.out_h; y += 2) {
        for (int64_t x = 0; x < p_.out_w; x += 2) AddTile(image, y, x, filters, &all);
      }
    }
    return all;
  }

 private:
  using Plane = std::array<float, 16>;

  // Absolute values of A, B and G of F(2, 3).
  static constexpr float kOutput[2][4] = {{1, 1, 1, 0}, {0, 1, 1, 1}};
  static constexpr float kInput[4][4] = {{1, 0, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 0, 1}};
  static constexpr float kFilter[4][3] = {{1, 0, 0}, {0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}, {0, 0, 1}};

  // element(k, l) for K x K of them.
  template <size_t K, typename Element>
  static Plane Transformed(const float (&matrix)[4][K], const Element& element) {
    Plane plane = {};
    for (size_t k = 0; k < K; ++k) {
      for (size_t l = 0; l < K; ++l) {
        const float x = std::fabs(element(static_cast<int64_t>(k), static_cast<int64_t>(l)));
        for (size_t i = 0; i < 16; ++i) plane[i] += matrix[i / 4][k] * matrix[i % 4][l] * x;
      }
    }
    return plane;
  }
  Plane Filter(int64_t column, int64_t c) const {
    return Transformed(kFilter, [&](int64_t k, int64_t l) {
      return floats_.weights[static_cast<size_t>(column * p_.depth() + (k * 3 + l) * p_.in_c + c)];
    });
  }
  Plane Input(int64_t image, int64_t top, int64_t left, int64_t c) const {
    return Transformed(kInput, [&](int64_t k, int64_t l) {
      const int64_t y = top + k - p_.pad_top, x = left + l - p_.pad_left;
      if (y < 0 || y >= p_.in_h || x < 0 || x >= p_.in_w) return 0.0f;
      return floats_.x[static_cast<size_t>(((image * p_.in_h + y) * p_.in_w + x) * p_.in_c + c)];
    });
  }

  void AddTile(int64_t image, int64_t top, int64_t left, const std::vector<Plane>& filters,
               std::vector<float>* all) const {
    std::vector<Plane> inputs;
    for (int64_t c = 0; c < p_.in_c; ++c) inputs.push_back(Input(image, top, left, c));
    for (int64_t column = 0; column < p_.out_c; ++column) {
      Plane sums = {};
      for (size_t c = 0; c < inputs.size(); ++c) {
        const Plane& filter = filters[static_cast<size_t>(column) * inputs.size() + c];
        for (size_t i = 0; i < sums.size(); ++i) sums[i] += inputs[c][i] * filter[i];
      }
      for (int64_t y = top; y < top + 2 && y < p_.out_h; ++y) {
        for (int64_t x = left; x < left + 2 && x < p_.out_w; ++x) {
          const auto at = static_cast<size_t>(((image * p_.out_h + y) * p_.out_w + x) * p_.out_c + column);
          float sum = floats_.has_bias ? std::fabs(floats_.bias[static_cast<size_t>(column)]) : 0;
          if (floats_.has_residual) sum += std::fabs(floats_.residual[at]);
          for (size_t i = 0; i < sums.size(); ++i)
            sum += kOutput[y - top][i / 4] * kOutput[x - left][i % 4] * sums[i];
          (*all)[at] = sum;
        }
      }
    }
  }

  const FloatConvCase& floats_;
  const Conv2DParams& p_;
};

// Higham, Accuracy and Stability of Numerical Algorithms, 3.1: roundings of two transforms of inputs and of
// outputs in two directions, of weights, products, bias, residual, activation and result; and what becomes
// subnormal of transformed inputs and products.
void ExpectWithinBounds(const HalfConvCase& c, const std::vector<float>& magnitudes,
                        const std::vector<float>& found) {
  constexpr float kOthers = 14;
  const Conv2DParams& p = c.floats.p;
  const std::vector<float> expected = c.Expected();
  ASSERT_EQ(found.size(), expected.size());
  const float roundings = kOthers + static_cast<float>(std::min(p.in_c, kHalfWinogradDepth));
  const float subnormal = 0x1p-24f * 16 * static_cast<float>(p.in_c) + 1e-6f;
  double error = 0, signal = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], 1.01f * roundings * 0x1p-11f * magnitudes[i] + subnormal) << i;
    error += std::pow(static_cast<double>(found[i]) - static_cast<double>(expected[i]), 2);
    signal += std::pow(static_cast<double>(expected[i]), 2);
  }
  // Chance evens out over many; and where nothing is cut off.
  const bool has_ratio = found.size() >= 100 && p.types.activation.kind == ActivationKind::kNone;
  EXPECT_TRUE(!has_ratio || std::sqrt(error) <= 0.004 * std::sqrt(signal));
}

TEST_P(WinogradF16Test, StaysWithinTheErrorOfHalfSums) {
  const Conv2DParams p = MakeParams(GetParam());
  SCOPED_TRACE(Describe(p));
  for (const CpuFeatures features : HalfFeatureSets()) {
    HalfConvCase c(p, 3);
    for (const bool has_residual : {false, true}) {
      c.floats.has_residual = has_residual;
      c.floats.has_bias = !has_residual;
      const std::vector<float> magnitudes = Magnitudes(c).OfAll();
      for (const Activation& activation : {Activation{}, Activation{ActivationKind::kClip, 0.1f, 1.7f},
                                           Activation{ActivationKind::kHardSwish}}) {
        c.floats.p.types.activation = activation;
        const std::vector<float> found = c.Run(*Winograd(), features, 1);
        ExpectWithinBounds(c, magnitudes, found);
        EXPECT_EQ(found, c.Run(*Winograd(), features, 2));
        EXPECT_EQ(found, c.Run(*Winograd(), features, 3, has_residual));
      }
    }
  }
}

// Sums of four inputs are beyond the range of halves. All products are exact.
TEST(WinogradF16, TakesInputsOfTheWholeRange) {
  for (const CpuFeatures features : HalfFeatureSets()) {
    HalfConvCase c(MakeParams({1, 4, 4, 8, 8, 3, 1, 1, 1}), 1);
    c.floats.has_bias = false;
    for (size_t i = 0; i < c.x.size(); ++i) c.x[i] = FloatToHalf(i % 2 == 0 ? 65024.0f : -65024.0f);
    std::fill(c.weights.begin(), c.weights.end(), FloatToHalf(0x1p-6f));
    for (const float y : c.Run(*Winograd(), features, 1)) EXPECT_EQ(y, 0.0f);
  }
}

TEST(WinogradF16, AddsSumsOfHalvesInFloat) {
  constexpr int64_t kChannels = 3 * kHalfWinogradDepth;
  for (const CpuFeatures features : HalfFeatureSets()) {
    HalfConvCase c(MakeParams({1, 2, 2, kChannels, 32, 3, 1, 1, 1}), 1);
    c.floats.has_bias = false;
    std::fill(c.x.begin(), c.x.end(), uint16_t{0});
    // Of one pixel under the middle of the filter: four products of 512, 0.25 and 0.25.
    c.x[0] = FloatToHalf(2048.0f);
    c.x[kHalfWinogradDepth] = c.x[2 * kHalfWinogradDepth] = FloatToHalf(1.0f);
    std::fill(c.weights.begin(), c.weights.end(), uint16_t{0});
    for (size_t i = 0; i < static_cast<size_t>(kChannels); ++i) {
      c.weights[4 * static_cast<size_t>(kChannels) + i] = FloatToHalf(1.0f);
    }
    EXPECT_EQ(c.Run(*Winograd(), features, 1)[0], 2050.0f);
  }
}

TEST(WinogradF16, IsTheChoiceOfLayersThatAllowItWhereTheCpuCan) {
  if (Winograd() == nullptr) GTEST_SKIP() << "this build knows no half arithmetic";
  Conv2DParams p = HalfConvCase(MakeParams({1, 14, 14, 256, 256, 3, 1, 1, 1}), 1).params();
  EXPECT_EQ(ChooseConv2D(p, {kWithHalf, 1}), Winograd());
  EXPECT_NE(ChooseConv2D(p, {kCpuNeon | kCpu64Bit, 1}), Winograd());
  p.types.half = false;
  EXPECT_NE(ChooseConv2D(p, {kWithHalf, 1}), Winograd());
}

TEST(WinogradF16, HasANameThatLeadsToItsNumber) {
  if (Winograd() == nullptr) GTEST_SKIP() << "this build knows no half arithmetic";
  const Conv2DParams p = HalfConvCase(MakeParams({1, 9, 9, 16, 16, 3, 1, 1, 1}), 1).params();
  const ConvTarget target = {kWithHalf, 1};
  EXPECT_EQ(FindVariant(Winograd()->name(p, target)),
            VariantOf(*Winograd(), Winograd()->plan(p, target).kernel));
}

}  // namespace
}  // namespace micrort::testing
